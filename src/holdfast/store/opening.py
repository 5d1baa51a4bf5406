"""Opening the store: making it, migrating it, and what to do when that fails."""

from __future__ import annotations

from holdfast.adapters.files import exists, stat
from holdfast.core.record import Record
from holdfast.store.sqlite import Connection, DatabaseError, connect

FILE = "holdfast.db"
SCHEMA_VERSION = 1
BUSY_SECONDS = 2.0
"""How long to wait for another hook's transaction. Transactions take less than a millisecond."""
MOST_LOG = 200_000
"""Bytes of the write-ahead log at which a hook takes the time to fold it into the file."""


class StoreProblem(Exception):
    """The store cannot be used, or not as it should be."""

    def __init__(self, slug: str, why: str) -> None:
        super().__init__(why)
        self.slug = slug


class Store(Record):
    """An open store."""

    connection: Connection
    folder: str
    inode: int = 0
    """Which file it is: another may take its place while it is open."""
    writable: bool = True
    notice: StoreProblem | None = None
    """What the person should be told about it, once."""


def open_store(folder: str, *, busy_seconds: float = BUSY_SECONDS) -> Store:
    """Open the store in this folder, making it if there is none; raise StoreProblem if that cannot be."""
    inode = 0
    path = f"{folder}/{FILE}"
    try:
        if exists(path):
            inode = inode_of(folder)
        else:
            import os

            os.makedirs(folder, mode=0o700, exist_ok=True)
        connection = connect(path, timeout=busy_seconds, isolation_level=None)
        version: int = connection.execute("PRAGMA user_version").fetchone()[0]
        if version < SCHEMA_VERSION:
            from holdfast.store.migrations import migrate

            migrate(connection)
        elif version > SCHEMA_VERSION:
            why = f"the store {path} was written by a newer Holdfast (schema {version}, this one knows {SCHEMA_VERSION})"
            return Store(connection, folder, inode, writable=False, notice=StoreProblem("store-newer", why))
        connection.execute("PRAGMA synchronous=NORMAL")
    except DatabaseError as error:
        return _recovered(folder, inode or inode_of(folder), error, busy_seconds)
    except OSError as error:
        raise StoreProblem("store-unusable", f"the store {path} cannot be used ({error.strerror or error})") from error
    return Store(connection, folder, inode or inode_of(folder))


def inode_of(folder: str) -> int:
    """Return which file the store in this folder is; 0 if there is none."""
    try:
        return stat(f"{folder}/{FILE}").st_ino
    except OSError:
        return 0


def _recovered(folder: str, inode: int, error: DatabaseError, busy_seconds: float) -> Store:
    from holdfast.store.recovery import is_corruption, move_aside

    path = f"{folder}/{FILE}"
    if not is_corruption(error):
        slug = "store-locked" if "locked" in str(error) else "store-unusable"
        raise StoreProblem(slug, f"the store {path} cannot be used ({error})") from error
    kept = move_aside(folder, inode)
    store = open_store(folder, busy_seconds=busy_seconds)
    return store.replace(notice=StoreProblem("store-corrupt", kept))


def leave(store: Store) -> None:
    """Let go of the store before the process ends.

    Closing folds the write-ahead log into the file, which needs the disk to confirm and may take longer than all
    else. So a hook just ends, and the next one reads the log again; but the log must not grow for ever (nobody
    empties it while no connection outlives its process), so that every so many events one hook closes properly.
    """
    try:
        if stat(f"{store.folder}/{FILE}-wal").st_size > MOST_LOG:
            store.connection.close()
    except (OSError, DatabaseError):
        pass
