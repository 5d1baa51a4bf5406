"""Starts the real hook process and reads its answer as strictly as the host does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import holdfast
from holdfast.hosts.claude_code_wiring import BOOTSTRAP, direct_command

PYTHON = os.path.realpath(sys.executable)
PACKAGE_FOLDER = Path(holdfast.__file__).resolve().parent.parent
DEADLINE = 8.0
"""Seconds after which the hook gives up by itself."""
PATIENCE = 30.0
"""Seconds after which a test gives up on a hook."""


def hook_argv(event: str = "", origin: str = "", package_folder: Path = PACKAGE_FOLDER, prelude: str = "") -> list[str]:
    """Return the command line by which a host starts the hook; `prelude` is run before the hook's own code."""
    argv = direct_command(PYTHON, str(package_folder), origin or "settings").argv(event)
    argv[argv.index(BOOTSTRAP)] = prelude + BOOTSTRAP
    return argv if event else argv[: argv.index(event)]


@dataclass(frozen=True)
class Answer:
    """What a hook process gave back."""

    status: int
    stdout: bytes
    stderr: bytes
    seconds: float = 0.0

    @property
    def said(self) -> dict[str, Any]:
        return json.loads(self.stdout) if self.stdout else {}

    @property
    def specific(self) -> dict[str, Any]:
        return self.said.get("hookSpecificOutput", {})

    @property
    def decision(self) -> str:
        return self.specific.get("permissionDecision", "")

    @property
    def reason(self) -> str:
        return self.specific.get("permissionDecisionReason", "")

    @property
    def context(self) -> str:
        return self.specific.get("additionalContext", "")

    @property
    def message(self) -> str:
        """What the person is told."""
        return self.said.get("systemMessage", "")

    @property
    def silent(self) -> bool:
        return not self.stdout


def require_legal(answer: Answer) -> Answer:
    """Fail unless the host could read the answer: exit 0, nothing on stderr, nothing or one JSON object on stdout."""
    assert answer.stderr == b""
    assert answer.status == 0
    if answer.stdout:
        assert isinstance(json.loads(answer.stdout.decode("utf-8")), dict)
        assert answer.stdout.count(b"\n") == 1
        assert answer.stdout.endswith(b"\n")
    return answer


def require_deny(answer: Answer, *words: str) -> None:
    """Fail unless the answer denies, with a reason that holds these words and with a way to go on."""
    assert answer.decision == "deny", answer
    for word in words:
        assert word in answer.reason
    assert "`" in answer.reason, "no command that leads on is named"


@dataclass(frozen=True)
class Project:
    """A project folder, the home of its user, and the session that an agent has there."""

    folder: Path
    home: Path
    session: str = "session-1"
    package_folder: Path = PACKAGE_FOLDER
    wrapper: tuple[str, ...] = ()
    """A command line in front of the hook's own, such as one that enters a namespace."""
    environment: dict[str, str] = field(default_factory=dict)

    def with_session(self, session: str) -> Project:
        return replace(self, session=session)

    def with_package(self, package_folder: Path) -> Project:
        return replace(self, package_folder=package_folder)

    def with_environment(self, **variables: str) -> Project:
        return replace(self, environment={**self.environment, **variables})

    def with_wrapper(self, wrapper: Iterable[str]) -> Project:
        return replace(self, wrapper=tuple(wrapper))

    @property
    def state_folder(self) -> Path:
        return self.home / ".local" / "state" / "holdfast"

    def variables(self) -> dict[str, str]:
        """Return the environment of the hook: nothing of the tests' own gets in."""
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "CLAUDE_PROJECT_DIR": str(self.folder),
            "CLAUDE_CODE_SESSION_ID": self.session,
            **self.environment,
        }

    def start(
        self, event: str = "", origin: str = "", *, cwd: Path | None = None, preparation: Callable[[], object] | None = None
    ) -> subprocess.Popen[bytes]:
        """Start the hook; its input is still open."""
        return subprocess.Popen(
            [*self.wrapper, *hook_argv(event, origin, self.package_folder)],
            cwd=cwd or self.home,
            env=self.variables(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=preparation,
        )

    def hook(
        self,
        event: str,
        payload: dict[str, Any] | bytes,
        origin: str = "",
        *,
        cwd: Path | None = None,
        preparation: Callable[[], object] | None = None,
    ) -> Answer:
        """Run the hook for one event and return its answer, which must be legal."""
        began = time.monotonic()
        process = self.start(event, origin, cwd=cwd, preparation=preparation)
        return finish(process, payload, began)


    def result(self, event: str, payload: dict[str, Any] | bytes) -> Answer:
        """Run the hook for one event and return what came of it, legal or not."""
        process = self.start(event)
        stdout, stderr = process.communicate(as_bytes(payload), timeout=PATIENCE)
        return Answer(process.returncode, stdout, stderr)

    def hooks_at_once(self, calls: Iterable[tuple[str, dict[str, Any], str]]) -> list[Answer]:
        """Run hooks for (event, payload, origin) all at the same time and return their answers, which must be legal."""
        began = time.monotonic()
        started = [(self.start(event, origin), payload) for event, payload, origin in calls]
        # all processes stand ready before the first has its input
        for process, payload in started:
            give_input(process, payload)
        return [finish(process, None, began) for process, _ in started]


def as_bytes(payload: dict[str, Any] | bytes) -> bytes:
    return payload if isinstance(payload, bytes) else json.dumps(payload).encode()


def give_input(process: subprocess.Popen[bytes], payload: dict[str, Any] | bytes) -> None:
    """Give a started hook all its input, without waiting for its answer."""
    assert process.stdin is not None
    process.stdin.write(as_bytes(payload))
    process.stdin.close()
    process.stdin = None


def finish(process: subprocess.Popen[bytes], payload: dict[str, Any] | bytes | None, began: float) -> Answer:
    """Give a started hook its input, if it has none yet, and return its answer, which must be legal."""
    try:
        stdout, stderr = process.communicate(None if payload is None else as_bytes(payload), timeout=PATIENCE)
    finally:
        process.kill()
    return require_legal(Answer(process.returncode, stdout, stderr, time.monotonic() - began))
