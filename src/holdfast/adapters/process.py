"""Starting other programs: argument lists, never a shell; a time limit; nothing left alive."""

from __future__ import annotations

import os
import signal
import subprocess


def output_of(argv: list[str], folder: str, seconds: float) -> str | None:
    """Return what a program prints, or None if it is missing, fails, or takes longer than allowed."""
    # Git must not ask for passwords, start a pager, or be led elsewhere by variables of a surrounding git hook.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment.update(GIT_TERMINAL_PROMPT="0", GIT_PAGER="cat", LC_ALL="C")
    try:
        started = subprocess.Popen(
            argv,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError:
        return None
    try:
        printed, _ = started.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        _end_group(started.pid)
        started.communicate()
        return None
    except BaseException:
        _end_group(started.pid)
        raise
    return printed.decode("utf-8", "replace") if started.returncode == 0 else None


def output_given(argv: list[str], given: bytes, seconds: float) -> bytes:
    """Return what a program makes of its input; nothing if it fails."""
    try:
        done = subprocess.run(argv, input=given, capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return b""
    return done.stdout if done.returncode == 0 else b""


def _end_group(leader: int) -> None:
    try:
        os.killpg(leader, signal.SIGKILL)
    except OSError:
        pass
