"""Little projects with Holdfast installed, for the real client to work in."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

SOURCE = "def answer() -> int:\n    return 41\n"


class Project:
    """A git repository with one commit, and what Holdfast recorded about it."""

    def __init__(self, folder: Path, home: Path) -> None:
        self.folder = folder
        self.home = home
        folder.mkdir(parents=True)
        home.mkdir(exist_ok=True)
        (folder / "src").mkdir()
        (folder / "src" / "answer.py").write_text(SOURCE)
        self.git("init", "-q", "-b", "main")
        self.git("add", ".")
        self.git("commit", "-q", "-m", "An answer")

    def git(self, *arguments: str) -> str:
        identity = ["-c", "user.name=T", "-c", "user.email=t@localhost", "-c", "commit.gpgsign=false"]
        command = ["git", *identity, *arguments]
        return subprocess.run(command, cwd=self.folder, check=True, capture_output=True, text=True).stdout

    def holdfast(self, *arguments: str, check: bool = True) -> str:
        """Run Holdfast's command line in the project and return what it prints."""
        command = [sys.executable, "-m", "holdfast", *arguments]
        environment = {**os.environ, "HOME": str(self.home)}
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False)
        if check:
            assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    @property
    def source(self) -> str:
        return (self.folder / "src" / "answer.py").read_text()

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """Ask the store; an empty list if there is none."""
        path = self.folder / ".git" / "holdfast" / "holdfast.db"
        if not path.exists():
            return []
        with closing(sqlite3.connect(path)) as connection:
            return connection.execute(query, values).fetchall()

    def events(self, name: str) -> list[tuple[Any, ...]]:
        """Return tool, subject and decision of the events of this name."""
        return self.rows("SELECT tool, subject, decision FROM event WHERE name = ? ORDER BY id", name)

    def files(self) -> dict[str, bytes]:
        """Return every file of the working tree and of git's own folder, without git's objects, index and logs."""
        return dict(_contents(self.folder))


def _contents(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_dir():
            yield name + "/", b""
        elif not name.startswith((".git/objects", ".git/logs", ".git/index")):
            yield name, path.read_bytes()


def package_with(folder: Path, module: str, text: str) -> Path:
    """Copy the package and replace one module's text; return the folder to put on the path."""
    import holdfast

    source = Path(holdfast.__file__).parent
    shutil.copytree(source, folder / "holdfast", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "holdfast" / module).write_text(text)
    return folder
