"""What a hook costs, cold, as ratios to a bare interpreter: one interleaved run, the store written every time.

Usage: python bench/hook_latency.py [--rounds N] [--json]. Exits with 1 if a median is above the bar.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

from holdfast.app.interpreter import package_folder, prepare, real_interpreter
from holdfast.app.scratch import make_repository, write
from holdfast.hosts.claude_code_wiring import direct_command

BAR = 2.0
"""Most that a hook may cost, in bare interpreters."""
NEW_COMMAND = "a new command"
"""A command that was never read before is parsed by another program; it has no bar, the same command again has."""


def payloads(folder: str) -> dict[str, Callable[[int], tuple[str, dict[str, Any]]]]:
    """Return for each case what the host sends in a round."""
    edit = {"file_path": f"{folder}/src/greeting.py", "old_string": "Hello", "new_string": "Good day"}
    command = {"command": "git status --short", "description": "see what changed"}

    def tool(event: str, name: str, tool_input: dict[str, Any], **more: Any) -> Callable[[int], tuple[str, dict[str, Any]]]:
        def one(number: int) -> tuple[str, dict[str, Any]]:
            identity = f"toolu_{event}_{name}_{number}"
            return event, {"tool_name": name, "tool_input": tool_input, "tool_use_id": identity, **more}

        return one

    answer = {"stdout": " M a.py", "stderr": "", "interrupted": False, "isImage": False}
    return {
        "command, before": tool("PreToolUse", "Bash", command),
        NEW_COMMAND: lambda number: (
            "PreToolUse",
            {
                "tool_name": "Bash",
                "tool_input": {"command": f"git log -{number} | head"},
                "tool_use_id": f"toolu_new_{number}",
            },
        ),
        "command, after": tool("PostToolUse", "Bash", command, tool_response=answer, duration_ms=12),
        "edit, refused": tool("PreToolUse", "Edit", edit),
        "edit, after": tool("PostToolUse", "Edit", edit, tool_response={"filePath": edit["file_path"]}),
        "stop": lambda number: ("Stop", {"stop_hook_active": False, "last_assistant_message": f"Done {number}."}),
    }


def measure(rounds: int) -> dict[str, list[float]]:
    """Time each case and the bare interpreter in turn."""
    python = real_interpreter()
    prepare(python)
    command = direct_command(python, package_folder())
    times: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory(prefix="holdfast-bench-") as scratch:
        folder = f"{os.path.realpath(scratch)}/project"
        os.makedirs(folder)
        make_repository(folder)
        write(folder, "holdfast.toml", 'profile = "strict"\n')
        environment = {**os.environ, "HOME": scratch, "CLAUDE_PROJECT_DIR": folder, "PYTHONDONTWRITEBYTECODE": "1"}
        base = {"session_id": "bench", "cwd": folder, "permission_mode": "acceptEdits", "transcript_path": "/t.jsonl"}
        cases = payloads(folder)
        for number in range(rounds + 2):
            runs = {"bare interpreter": ([python, "-I", "-S", "-c", "pass"], b"")}
            for name, payload in cases.items():
                event, fields = payload(number)
                body = json.dumps({**base, "hook_event_name": event, **fields}).encode()
                runs[name] = (command.argv(event), body)
            for name, (argv, body) in runs.items():
                began = time.perf_counter()
                subprocess.run(argv, input=body, env=environment, cwd=folder, stdout=subprocess.DEVNULL, check=True)
                if number >= 2:  # the first rounds warm the disk cache
                    times.setdefault(name, []).append(time.perf_counter() - began)
        _check_written(folder, rounds + 2, len(cases))
    return times


def _check_written(folder: str, rounds: int, cases: int) -> None:
    import sqlite3

    count = sqlite3.connect(f"{folder}/.git/holdfast/holdfast.db").execute("SELECT count(*) FROM event").fetchone()[0]
    if count != rounds * cases:
        sys.exit(f"bench: {count} events are in the store, {rounds * cases} were sent; the figures mean nothing")


def main() -> int:
    """Print the table and tell whether all is within the bar."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    times = measure(options.rounds)
    bare = statistics.median(times["bare interpreter"])
    rows = {
        name: {
            "median_ms": statistics.median(found) * 1000,
            "p90_ms": sorted(found)[int(len(found) * 0.9)] * 1000,
            "ratio": statistics.median(found) / bare,
        }
        for name, found in times.items()
    }
    over = [name for name, row in rows.items() if row["ratio"] > BAR and name != NEW_COMMAND]
    if options.json:
        print(json.dumps(rows, indent=2))
    else:
        print(f"{'':18} {'median':>9} {'p90':>9} {'× bare':>7}   ({options.rounds} interleaved rounds, bar {BAR})")
        for name, row in rows.items():
            print(f"{name:18} {row['median_ms']:6.1f} ms {row['p90_ms']:6.1f} ms {row['ratio']:7.2f}")
        print("within the bar" if not over else f"ABOVE THE BAR: {', '.join(over)}")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
