"""A project of one's own and the command line in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.support.repositories import commit_file, make_repository


@dataclass(frozen=True)
class Done:
    """What a command printed and how it ended."""

    status: int
    stdout: str
    stderr: str

    @property
    def json(self) -> Any:
        return json.loads(self.stdout)


class Shell:
    """Runs Holdfast's command line as a person would, with a home of its own."""

    def __init__(self, project: Path, home: Path) -> None:
        self.project = project
        self.home = home

    def __call__(self, *arguments: str, folder: Path | None = None, stdin: str = "", **variables: str) -> Done:
        environment = {**os.environ, "HOME": str(self.home), "COLUMNS": "160", "TERM": "dumb", **variables}
        for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "CLAUDE_CONFIG_DIR", "CLAUDE_PROJECT_DIR"):
            environment.pop(name, None) if name not in variables else None
        command = [sys.executable, "-m", "holdfast", *arguments]
        done = subprocess.run(
            command, cwd=folder or self.project, env=environment, input=stdin, capture_output=True, text=True, check=False
        )
        return Done(done.returncode, done.stdout, done.stderr)

    def hook(self, event: str, **fields: Any) -> dict[str, Any]:
        """Send an event through the installed hook and return the answer."""
        settings = json.loads((self.project / ".claude" / "settings.local.json").read_text())
        handler = settings["hooks"][event][-1]["hooks"][0]
        payload = {"session_id": "s1", "cwd": str(self.project), "hook_event_name": event, **fields}
        environment = {**os.environ, "HOME": str(self.home), "CLAUDE_PROJECT_DIR": str(self.project)}
        done = subprocess.run(
            [handler["command"], *handler["args"]],
            input=json.dumps(payload),
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        return json.loads(done.stdout) if done.stdout else {}

    def edit(self, path: str, number: int = 1) -> dict[str, Any]:
        tool_input = {"file_path": str(self.project / path), "old_string": "1", "new_string": "2"}
        return self.hook("PreToolUse", tool_name="Edit", tool_input=tool_input, tool_use_id=f"toolu_{number}")


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    project = make_repository(tmp_path / "project")
    commit_file(project / "src" / "app.py", "x = 1\n")
    home = tmp_path / "home"
    home.mkdir()
    return Shell(project, home)
