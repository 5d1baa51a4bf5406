"""What to do with a store that is broken or cannot be written: never delete, never lose what was answered."""

from __future__ import annotations

import os
import time

from holdfast.core.jsontext import NotJson, encode, parse
from holdfast.store.opening import FILE, inode_of
from holdfast.store.recovery_names import SPILL, TAKEN
from holdfast.store.sqlite import DatabaseError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOST_SPILLED = 8_000_000
"""Bytes of records that wait for a store that cannot be written; beyond it the newest are not kept."""


def is_corruption(error: DatabaseError) -> bool:
    """Tell whether the error means that the file itself is broken, or is not what we made."""
    text = str(error)
    return any(
        sign in text for sign in ("not a database", "malformed", "file is encrypted", "no such table", "no such column")
    )


def move_aside(folder: str, inode: int) -> str:
    """Move the corrupt store that was opened, and its side files, away; return what to tell the person."""
    path = f"{folder}/{FILE}"
    with _Lock(f"{folder}/repair.lock"):
        if inode_of(folder) != inode:
            return f"the store was corrupt; another hook moved it aside in {folder}"
        kept = f"{path}.corrupt-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}"
        for suffix in ("-wal", "-shm", ""):
            if os.path.exists(path + suffix):
                os.rename(path + suffix, kept + suffix)
    return f"the store was corrupt; it was moved to {kept} and a new one begun"


class _Lock:
    """An exclusive lock that the kernel takes back when the process dies."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __enter__(self) -> None:
        self.handle = os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600)
        try:
            import fcntl

            fcntl.flock(self.handle, fcntl.LOCK_EX)
        except ImportError:  # no such lock on this platform; the inode check narrows the gap
            pass

    def __exit__(self, *_failure: object) -> None:
        os.close(self.handle)


def spill(folder: str, record: dict[str, Any]) -> bool:
    """Keep a record that the store could not take, for the next hook to put in; tell whether it was kept."""
    path = f"{folder}/{SPILL}"
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        # the one who takes the records in holds this lock while it moves the file away
        with _Lock(f"{folder}/spill.lock"):
            if os.path.exists(path) and os.stat(path).st_size > MOST_SPILLED:
                return False
            return _append(path, record)
    except OSError:
        return False


def _append(path: str, record: dict[str, Any]) -> bool:
    handle = os.open(path, os.O_CREAT | os.O_APPEND | os.O_RDWR, 0o600)
    try:
        line = (encode(record) + "\n").encode("ascii")
        size = os.fstat(handle).st_size
        if size and os.pread(handle, 1, size - 1) != b"\n":
            line = b"\n" + line  # the last writer died in the middle of its line
        return os.write(handle, line) == len(line)
    finally:
        os.close(handle)


def spilled(folder: str) -> list[dict[str, Any]]:
    """Return the records that wait. Call it under the store's write lock, and `forget_spilled` after the commit.

    They are moved to a name of their own first, so that what other hooks add meanwhile is not lost; a hook that
    dies in between leaves that file to the next one. A half-written last line is passed over.
    """
    taken = f"{folder}/{TAKEN}"
    try:
        if not os.path.exists(taken):
            with _Lock(f"{folder}/spill.lock"):
                os.rename(f"{folder}/{SPILL}", taken)
        with open(taken, encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
    except OSError:
        return []
    records = []
    for line in lines:
        try:
            record = parse(line)
        except NotJson:
            continue
        if isinstance(record, dict):
            records.append(record)
    return records


def forget_spilled(folder: str) -> None:
    """Remove the records that `spilled` returned."""
    try:
        os.unlink(f"{folder}/{TAKEN}")
    except OSError:
        pass
