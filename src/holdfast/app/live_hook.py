"""Running the hook as the host does: its own process, payload in, answer out."""

from __future__ import annotations

import json
import os
import subprocess
import time
from typing import Any

from holdfast.core.record import Record


class HookRun(Record):
    """One call of the hook process."""

    exit_code: int
    stdout: str
    stderr: str
    seconds: float

    @property
    def answer(self) -> dict[str, Any]:
        """The answer as an object; empty for silence or for anything that is not one."""
        try:
            found = json.loads(self.stdout)
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}

    @property
    def decision(self) -> str:
        """What the host will make of it: deny, ask, allow, block, note or nothing."""
        specific = self.answer.get("hookSpecificOutput", {})
        said = specific.get("permissionDecision") or self.answer.get("decision")
        if said:
            return str(said)
        return "note" if self.answer else "nothing"

    @property
    def text(self) -> str:
        """The reason, context or message in the answer."""
        specific = self.answer.get("hookSpecificOutput", {})
        parts = (
            specific.get("permissionDecisionReason"),
            self.answer.get("reason"),
            specific.get("additionalContext"),
            self.answer.get("systemMessage"),
        )
        return "\n".join(part for part in parts if part)


def run_hook(argv: list[str], payload: dict[str, Any], folder: str, *, home: str = "", timeout: float = 30.0) -> HookRun:
    """Run the hook on a payload in a project folder."""
    environment = {**os.environ, "CLAUDE_PROJECT_DIR": folder}
    if home:
        environment.update(HOME=home, XDG_STATE_HOME=f"{home}/state", XDG_CONFIG_HOME=f"{home}/config")
    began = time.perf_counter()
    try:
        done = subprocess.run(
            argv,
            input=json.dumps(payload).encode(),
            capture_output=True,
            cwd=folder,
            env=environment,
            timeout=timeout,
            check=False,
        )
    except OSError as error:
        return HookRun(127, "", f"{argv[0]}: {error.strerror}", time.perf_counter() - began)
    except subprocess.TimeoutExpired:
        return HookRun(-1, "", f"no answer within {timeout:g} s", time.perf_counter() - began)
    seconds = time.perf_counter() - began
    return HookRun(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"), seconds)
