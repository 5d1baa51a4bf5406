"""Looks into a project's store from outside, with the ordinary SQLite module."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from tests.support.hook_process import Project


class Ledger:
    """The store in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "holdfast.db"
        self.waiting = folder / "pending.jsonl"
        self.taken = folder / "pending.taken.jsonl"

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.file, isolation_level=None)) as connection:
            return connection.execute(query, values).fetchall()

    def column(self, query: str, *values: object) -> list[Any]:
        return [row[0] for row in self.rows(query, *values)]

    def change(self, *statements: str) -> None:
        """Change the store, and fold its log into the file, so that the file alone holds everything."""
        with closing(sqlite3.connect(self.file, isolation_level=None)) as connection:
            for statement in statements:
                connection.execute(statement)
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def fold_log(self) -> None:
        self.change()

    def tool_uses(self) -> list[str]:
        return self.column("SELECT tool_use FROM event ORDER BY id")

    def count(self, table: str = "event") -> int:
        return self.column(f"SELECT count(*) FROM {table}")[0]

    def is_sound(self) -> bool:
        return self.column("PRAGMA integrity_check") == ["ok"]

    def moved_aside(self) -> list[Path]:
        """Return the corrupt stores that were put away."""
        found = self.folder.glob("holdfast.db.corrupt-*")
        return sorted(path for path in found if not path.name.endswith(("-wal", "-shm")))

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the store's write lock, as a hook that hangs would."""
        with closing(sqlite3.connect(self.file, isolation_level=None)) as connection:
            connection.execute("BEGIN EXCLUSIVE")
            yield
            connection.execute("ROLLBACK")

    @contextmanager
    def unusable(self) -> Iterator[None]:
        """Put a folder in the place of the store's file, so that hooks can only put their records aside."""
        self.folder.mkdir(exist_ok=True)
        away = self.folder.with_name("away")
        away.mkdir()
        for path in self.folder.glob("holdfast.db*"):
            path.rename(away / path.name)
        self.file.mkdir()
        yield
        self.file.rmdir()
        for path in away.iterdir():
            path.rename(self.folder / path.name)
        away.rmdir()


def ledger_of(project: Project) -> Ledger:
    git_folder = project.folder / ".git"
    return Ledger(git_folder / "holdfast" if git_folder.is_dir() else project.folder / ".holdfast")
