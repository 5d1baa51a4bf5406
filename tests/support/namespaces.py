"""File systems of one's own: read-only, or with hardly any room, seen only by processes that enter."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

# as root it needs no user namespace; as anybody else one is made
_WAYS = (("unshare", "--mount"), ("unshare", "--mount", "--map-root-user"))


@cache
def _way_in() -> tuple[str, ...]:
    for way in _WAYS:
        try:
            done = subprocess.run([*way, "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True, check=False)
        except FileNotFoundError:
            break
        if done.returncode == 0:
            return way
    return ()


@dataclass(frozen=True)
class Namespace:
    """A view of the file system with mounts of its own."""

    process: int
    entering: tuple[str, ...]
    """The command line in front of a command that is to see it."""

    def seen(self, path: Path) -> Path:
        """Return how a path inside can be read from outside."""
        return Path(f"/proc/{self.process}/root{path}")


@contextmanager
def namespace(script: str, *arguments: str) -> Iterator[Namespace]:
    """Give a namespace that a shell script has furnished; skip the test where the machine allows none."""
    way = _way_in()
    if not way:
        pytest.skip("this machine permits no mount namespaces (unshare --mount)")
    holder = subprocess.Popen(
        [*way, "sh", "-euc", f"{script}\necho ready; read -r _", "sh", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert holder.stdin is not None
    assert holder.stdout is not None
    try:
        assert holder.stdout.readline() == b"ready\n"
        user = ["--user", "--preserve-credentials"] if "--map-root-user" in way else []
        yield Namespace(holder.pid, ("nsenter", f"--target={holder.pid}", "--mount", *user, "--"))
    finally:
        holder.stdin.close()
        holder.wait()
        holder.stdout.close()


@contextmanager
def read_only(folder: Path) -> Iterator[Namespace]:
    """Give a namespace in which nothing in the folder can be written."""
    with namespace('mount --bind "$1" "$1"; mount -o remount,ro,bind "$1"', str(folder)) as found:
        yield found


@contextmanager
def full_disk(folder: Path) -> Iterator[Namespace]:
    """Give a namespace in which the folder lies on a disk without a free byte, with all that is in it."""
    script = (
        'mkdir "$1.copy"; cp -a "$1/." "$1.copy/"; mount -t tmpfs -o size=4m none "$1"; cp -a "$1.copy/." "$1/"; '
        'cat /dev/zero > "$1/filler" 2> /dev/null || true'
    )
    with namespace(script, str(folder)) as found:
        yield found
