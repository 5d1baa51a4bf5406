"""What the host sends: the recorded payloads, led into a test's project."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

from tests.support.hook_process import Project

_FOLDER = Path(__file__).resolve().parent.parent / "payloads"
_numbers = itertools.count(1)


def recorded(name: str, project: Project, **changes: Any) -> dict[str, Any]:
    """Return a recorded payload with this project's folder and session, and a tool call of its own."""
    payload = json.loads((_FOLDER / f"{name}.json").read_text())
    payload |= {"session_id": project.session, "cwd": str(project.folder)}
    if "tool_use_id" in payload:
        payload["tool_use_id"] = f"toolu_{next(_numbers)}"
    return payload | changes


def write_proposed(project: Project, path: str | Path = "src/app.py", content: str = "x = 1\n", **changes: Any) -> dict[str, Any]:
    return recorded("PreToolUse.Write", project, tool_input=_write(project, path, content), **changes)


def write_made(project: Project, path: str | Path = "src/app.py", content: str = "x = 1\n", **changes: Any) -> dict[str, Any]:
    tool_input = _write(project, path, content)
    response = {"type": "create", "filePath": tool_input["file_path"], "content": content}
    return recorded("PostToolUse.Write", project, tool_input=tool_input, tool_response=response, **changes)


def _write(project: Project, path: str | Path, content: str) -> dict[str, str]:
    # joined as text, for a test's path may hold what no path can
    full = str(path) if str(path).startswith("/") else f"{project.folder}/{path}"
    return {"file_path": full, "content": content}


def command_proposed(project: Project, command: str = "ls", **changes: Any) -> dict[str, Any]:
    return recorded("PreToolUse", project, tool_input={"command": command}, **changes)


def command_ran(project: Project, command: str = "ls", output: str = "", **changes: Any) -> dict[str, Any]:
    response = {"stdout": output, "stderr": "", "interrupted": False}
    return recorded("PostToolUse", project, tool_input={"command": command}, tool_response=response, **changes)


def command_failed(project: Project, command: str = "false", error: str = "Exit code 1", **changes: Any) -> dict[str, Any]:
    return recorded("PostToolUseFailure", project, tool_input={"command": command}, error=error, **changes)


def prompt_given(project: Project, text: str = "go on", **changes: Any) -> dict[str, Any]:
    return recorded("UserPromptSubmit", project, prompt=text, **changes)


def stop(project: Project, **changes: Any) -> dict[str, Any]:
    return recorded("Stop", project, **changes)


def session_start(project: Project, **changes: Any) -> dict[str, Any]:
    return recorded("SessionStart", project, **changes)
