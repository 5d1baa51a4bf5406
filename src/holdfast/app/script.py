"""The session that `demo` plays: what an agent does, step by step, in a scratch repository."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

from holdfast.app.scratch import git, write
from holdfast.core.record import Record

REPAIRED = 'def greet(name: str) -> str:\n    return f"Hello, {name}!"\n'


class Step(Record):
    """One event: what the agent does, and what the host would send for it."""

    what: str
    event: str
    given: dict[str, Any] = {}
    then: Callable[[str], dict[str, Any]] | None = None
    """What really happens in the repository before the event is sent; returns more fields."""
    expected: str = "nothing"

    def __hash__(self) -> int:
        return hash((self.what, self.event))


def steps() -> list[Step]:
    """Return the session."""
    edit = {"file_path": "src/greeting.py", "old_string": '{name}"', "new_string": '{name}!"'}
    switch = {"command": "git switch -c fix/greeting"}
    tests = {"command": "python tests/test_greeting.py"}
    return [
        Step("A session starts; the agent gets a brief", "SessionStart", {"source": "startup"}, expected="note"),
        Step("You ask for a change", "UserPromptSubmit", {"prompt": "The greeting lacks its exclamation mark."}),
        Step("The agent wants to edit source on main", "PreToolUse", _tool("Edit", edit), expected="deny"),
        Step("It reads the reason and makes a branch", "PostToolUse", _tool("Bash", switch), _switch),
        Step("It tries the edit again", "PreToolUse", _tool("Edit", edit)),
        Step("The edit is made", "PostToolUse", _tool("Edit", edit), _edit),
        Step("It runs a command that fails", "PostToolUseFailure", _tool("Bash", tests), _failing_command),
        Step("The agent stops; you get a summary", "Stop", {"last_assistant_message": "Done."}, expected="note"),
        Step("The session ends", "SessionEnd", {"reason": "other"}),
    ]


def _tool(name: str, tool_input: dict[str, Any]) -> dict[str, Any]:
    return {"tool_name": name, "tool_input": tool_input}


def _switch(folder: str) -> dict[str, Any]:
    git(folder, "switch", "-q", "-c", "fix/greeting")
    return {"tool_response": {"stdout": "Switched to a new branch 'fix/greeting'", "stderr": "", "interrupted": False}}


def _edit(folder: str) -> dict[str, Any]:
    write(folder, "src/greeting.py", REPAIRED)
    return {"tool_response": {"filePath": f"{folder}/src/greeting.py", "userModified": False, "replaceAll": False}}


def _failing_command(folder: str) -> dict[str, Any]:
    """Run the test file the wrong way, so that it does not find the module: a real status and real output."""
    command = [sys.executable, "tests/test_greeting.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    return {"error": f"Exit code {done.returncode}\n{done.stderr}", "is_interrupt": False}


def payload_of(step: Step, number: int, folder: str) -> dict[str, Any]:
    """Return what the host would send for a step."""
    more = step.then(folder) if step.then else {}
    fields = {key: dict(value) if isinstance(value, dict) else value for key, value in step.given.items()}
    if "file_path" in fields.get("tool_input", {}):
        fields["tool_input"]["file_path"] = os.path.join(folder, fields["tool_input"]["file_path"])
    identity = {"tool_use_id": f"toolu_demo_{number}"} if "tool_name" in fields else {}
    return {
        "session_id": "demo",
        "transcript_path": f"{folder}/transcript.jsonl",
        "cwd": folder,
        "permission_mode": "acceptEdits",
        "hook_event_name": step.event,
        **fields,
        **identity,
        **more,
    }
