"""Installs the real Claude Code client and runs it against a scripted model.

The client is pinned: what it does with a hook's answer differs between versions, so a
test that passed on whichever version happened to be installed would prove little.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple

from .scripted_model import ScriptedModel

CLIENT_VERSION = "2.1.325"
PACKAGE = "@anthropic-ai/claude-code"
BINARY_VARIABLE = "HOLDFAST_CLAUDE_BINARY"
CACHE = Path(__file__).resolve().parents[2] / ".cache"

INSTALL_TIMEOUT = 900
"""Seconds; the package is large, so this bounds a hung download, not a slow one."""

VERSION_TIMEOUT = 60
KILL_GRACE = 2
"""Seconds between asking the client to end, so that it ends its children, and killing it."""

QUIET = {
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "DISABLE_TELEMETRY": "1",
}
"""Switches that keep the client from talking to anyone but the scripted model."""

_HOOK_LABEL = re.compile(r"[A-Za-z]+(:\S+)? says: ")


class ClientRun(NamedTuple):
    """What one run of the client left behind."""

    exit_code: int
    events: list[dict[str, Any]]
    result: str
    stderr: str
    seconds: float

    def messages_to_person(self) -> list[str]:
        """The hooks' system messages as the hooks wrote them, in order of arrival.

        SessionStart's are missing: this client does not show them.
        """
        shown = [
            str(event.get("content", ""))
            for event in self.events
            if event.get("type") == "system" and event.get("subtype") == "informational"
        ]
        # Other informational events are the client's own words and carry no label.
        return [_without_label(text) for text in shown if _HOOK_LABEL.match(text)]


class ClientTimeout(AssertionError):
    """The client did not end in time and was killed."""


class _InstallError(Exception):
    """The client could not be installed; the text says why."""


@functools.cache
def find_or_install() -> tuple[Path | None, str]:
    """The client's binary, or None and the reason why there is none.

    The answer is kept, so a failing installation is tried once per test process.
    """
    if os.name != "posix":
        return None, "the client is driven through process groups, which needs POSIX"
    given = os.environ.get(BINARY_VARIABLE)
    if given:
        problem = _version_problem(Path(given))
        return (None, f"{BINARY_VARIABLE}: {problem}") if problem else (Path(given), "")
    try:
        return _cached_binary(CACHE / f"claude-code-{CLIENT_VERSION}"), ""
    except (_InstallError, OSError) as error:
        return None, str(error)


def run_client(
    project_dir: Path,
    prompt: str,
    model: ScriptedModel,
    *,
    args: Sequence[str] = (),
    settings: Mapping[str, Any] | None = None,
    env: Mapping[str, str] | None = None,
    home: Path | None = None,
    timeout: float = 60,
    permission_mode: str = "acceptEdits",
) -> ClientRun:
    """Run the client once in `project_dir`, without a person, until it ends.

    `settings` go on the command line, beside the project's own settings file. `env`
    adds to the client's otherwise empty environment. Without `home` the run gets a
    scratch one, which is gone afterwards together with the transcript in it.
    """
    binary, reason = find_or_install()
    if binary is None:
        raise RuntimeError(reason)
    command = [str(binary), "-p", "--output-format", "stream-json", "--verbose"]
    command += ["--permission-mode", permission_mode, *args]
    if settings is not None:
        command += ["--settings", json.dumps(settings)]
    with _scratch() as scratch:
        variables = _environment(model, home or scratch / "home", scratch / "tmp")
        started = time.monotonic()
        exit_code, output, stderr = _run_group(command, prompt, project_dir, variables | dict(env or {}), scratch, timeout)
        seconds = time.monotonic() - started
    events = [json.loads(line) for line in output.splitlines() if line.strip()]
    return ClientRun(exit_code, events, _final_text(events), stderr, seconds)


def _without_label(text: str) -> str:
    """Undo what the client does to a message: it labels every line with the event."""
    match = _HOOK_LABEL.match(text)
    label = match.group() if match else ""
    return "\n".join(line.removeprefix(label) for line in text.split("\n"))


def _final_text(events: Sequence[Mapping[str, Any]]) -> str:
    ends = [event for event in events if event.get("type") == "result"]
    return str(ends[-1].get("result") or "") if ends else ""


@contextlib.contextmanager
def _scratch() -> Iterator[Path]:
    """A folder for one run, with a short path: the client puts Unix sockets in it."""
    # What the run leaves behind may still write while the folder is being removed.
    with tempfile.TemporaryDirectory(prefix="rig", ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        (folder / "home").mkdir()
        (folder / "tmp").mkdir()
        yield folder


def _environment(model: ScriptedModel, home: Path, tmp: Path) -> dict[str, str]:
    """All variables the client gets: nothing of the caller's may change a test."""
    # This interpreter first, so that `python3` in a hook is the one running the tests.
    # The caller's own PATH stays out: it may hold slow shims that depend on HOME.
    git = shutil.which("git") or "/usr/bin/git"
    folders = [Path(sys.executable).parent, Path(git).parent, "/usr/local/bin", "/usr/bin", "/bin"]
    return {
        **QUIET,
        "ANTHROPIC_API_KEY": "not-a-key",
        "ANTHROPIC_BASE_URL": model.base_url,
        "HOME": str(home),
        "PATH": os.pathsep.join(dict.fromkeys(map(str, folders))),
        "TERM": "dumb",
        "TMPDIR": str(tmp),
    }


def _run_group(
    command: Sequence[str],
    prompt: str,
    folder: Path,
    env: Mapping[str, str],
    scratch: Path,
    timeout: float,
) -> tuple[int, str, str]:
    """Run a command in a process group of its own: exit code, stdout, stderr."""
    stdin, stdout, stderr = (scratch / name for name in ("stdin", "stdout", "stderr"))
    stdin.write_text(prompt, encoding="utf-8")
    # Files, not pipes: a process that the client left behind would hold a pipe open and
    # keep the reader waiting for it.
    with stdin.open("rb") as source, stdout.open("wb") as out, stderr.open("wb") as err:
        process = _start(command, folder, env, source, out, err)
        try:
            exit_code = process.wait(timeout)
        except subprocess.TimeoutExpired:
            exit_code = None
        finally:
            # Not reaped: it is still running, at the timeout or at an interrupt.
            if process.returncode is None:
                _end_group(process)
    output, errors = stdout.read_text(encoding="utf-8"), stderr.read_text(encoding="utf-8")
    if exit_code is None:
        raise ClientTimeout(f"no end after {timeout} s\n{output[-4000:]}\n{errors[-4000:]}")
    return exit_code, output, errors


def _start(
    command: Sequence[str],
    folder: Path,
    env: Mapping[str, str],
    stdin: IO[bytes],
    stdout: IO[bytes],
    stderr: IO[bytes],
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command,
        cwd=folder,
        env=dict(env),
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        start_new_session=True,
    )


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """End the client and its group; its hooks have groups of their own, which it ends."""
    # The leader is not waited for before the last signal: until it is reaped its id
    # cannot pass to a stranger, so the signals reach processes started here or nobody.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGTERM)
        time.sleep(KILL_GRACE)
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _cached_binary(cache: Path) -> Path:
    """The binary in the cache folder, installed there first if need be."""
    cache.parent.mkdir(exist_ok=True)
    # The folder keeps itself out of version control.
    (cache.parent / ".gitignore").write_text("*\n", encoding="utf-8")
    with _locked(cache.with_name(cache.name + ".lock")):
        if not cache.is_dir():
            _install(cache)
    return _working_binary(cache)


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold a lock that the system releases even when the holder is killed."""
    import fcntl  # here, because the module must load where there is no such thing

    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _install(cache: Path) -> None:
    """Install beside the cache folder, and move it into place once it is known to work."""
    npm = shutil.which("npm")
    if npm is None:
        raise _InstallError("npm was not found, so the client cannot be installed")
    with tempfile.TemporaryDirectory(dir=cache.parent, prefix="installing-") as name:
        staging = Path(name) / "client"
        staging.mkdir()
        command = [npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-save"]
        # A prefix, because npm otherwise installs into the nearest project above. One
        # retry, because without a network the usual ones take minutes to fail.
        command += ["--prefix", str(staging), "--fetch-retries", "1"]
        command += [f"{PACKAGE}@{CLIENT_VERSION}"]
        _run_npm(command, staging)
        _working_binary(staging)
        staging.rename(cache)


def _run_npm(command: Sequence[str], folder: Path) -> None:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=INSTALL_TIMEOUT)
    except subprocess.TimeoutExpired:
        raise _InstallError(f"npm install did not end in {INSTALL_TIMEOUT} s") from None
    if done.returncode != 0:
        lines = (done.stderr or done.stdout).splitlines()
        # Warnings (of an old Node, for one) come first and would hide the error.
        errors = [line for line in lines if "npm warn" not in line.lower()]
        raise _InstallError("npm install failed: " + " ".join(errors[:5]))


def _working_binary(folder: Path) -> Path:
    """The platform's binary: npm may fetch several (two C libraries), one of which runs."""
    problems = []
    for candidate in sorted(folder.glob(f"node_modules/{PACKAGE}-*/claude")):
        problem = _version_problem(candidate)
        if not problem:
            return candidate
        problems.append(problem)
    raise _InstallError("; ".join(problems) or f"{folder} holds no binary for this platform")


def _version_problem(binary: Path) -> str:
    """Why the binary is not the pinned client; empty when it is."""
    with _scratch() as scratch:
        try:
            done = subprocess.run(
                [str(binary), "--version"],
                env={**QUIET, "HOME": str(scratch), "PATH": "/usr/bin:/bin"},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=VERSION_TIMEOUT,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"{binary} does not run: {error}"
    version = done.stdout.strip()
    if version.partition(" ")[0] != CLIENT_VERSION:
        said = version or done.stderr.strip()[:200]
        return f"{binary} is not version {CLIENT_VERSION} but says {said!r}"
    return ""
