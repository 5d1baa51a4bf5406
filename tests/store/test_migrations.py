"""Making and migrating a store: once, however many begin at the same time."""

from __future__ import annotations

import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from holdfast.store import migrations, opening
from tests.support.hook_process import PACKAGE_FOLDER, PYTHON
from tests.support.ledger import Ledger

OPEN_STORE = (
    "import sys; sys.path.append(sys.argv[1]); from holdfast.store.opening import open_store; "
    "sys.stdin.read(); print(open_store(sys.argv[2]).connection.execute('SELECT count(*) FROM event').fetchone()[0])"
)


def opened_at_once(folder: Path, count: int) -> list[str]:
    """Let processes open the same store at the same moment and return what each printed."""
    argv = [PYTHON, "-I", "-S", "-c", OPEN_STORE, str(PACKAGE_FOLDER), str(folder)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    started = [subprocess.Popen(argv, **pipes) for _ in range(count)]  # type: ignore[call-overload]
    for process in started:
        process.stdin.close()
        process.stdin = None
    return [process.communicate(timeout=30)[0].strip() for process in started]


@pytest.mark.parametrize("attempt", range(3))
def test_eight_processes_make_one_store_at_once(tmp_path: Path, attempt: int) -> None:
    assert opened_at_once(tmp_path / "store", 8) == ["0"] * 8
    ledger = Ledger(tmp_path / "store")
    assert ledger.column("PRAGMA user_version") == [opening.SCHEMA_VERSION]
    assert ledger.is_sound()
    assert ledger.moved_aside() == []


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    found = opening.open_store(str(tmp_path)).connection
    yield found
    found.close()


def everything(connection: sqlite3.Connection) -> list[tuple[object, ...]]:
    return connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY rowid").fetchall()


def test_migrating_again_changes_nothing(connection: sqlite3.Connection) -> None:
    before = everything(connection)
    connection.execute("INSERT INTO meta VALUES ('mark', 'kept')")
    migrations.migrate(connection)
    assert everything(connection) == before
    assert connection.execute("SELECT value FROM meta WHERE key = 'mark'").fetchone() == ("kept",)


def test_opening_again_changes_nothing(tmp_path: Path) -> None:
    first = opening.open_store(str(tmp_path))
    before = everything(first.connection)
    first.connection.close()
    content = (tmp_path / "holdfast.db").read_bytes()
    second = opening.open_store(str(tmp_path))
    assert everything(second.connection) == before
    assert second.notice is None
    second.connection.close()
    assert (tmp_path / "holdfast.db").read_bytes() == content


def test_a_step_that_fails_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def half_a_step(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE half (id)")
        raise ZeroDivisionError

    monkeypatch.setitem(migrations.STEPS, 1, half_a_step)
    connection = sqlite3.connect(tmp_path / "holdfast.db", isolation_level=None)
    with pytest.raises(ZeroDivisionError):
        migrations.migrate(connection)
    assert everything(connection) == []
    assert connection.execute("PRAGMA user_version").fetchone() == (0,)
    connection.close()


def test_there_is_a_step_to_every_version() -> None:
    assert list(migrations.STEPS) == list(range(1, opening.SCHEMA_VERSION + 1))


def test_the_folder_of_a_store_is_for_its_owner_only(tmp_path: Path) -> None:
    opening.open_store(str(tmp_path / "store")).connection.close()
    assert (tmp_path / "store").stat().st_mode & 0o077 == 0


SCRIPTS = {
    "one statement": ("CREATE TABLE a (b);", 1),
    "comments between": ("-- one\nCREATE TABLE a (b); -- two\n\n-- three\nCREATE TABLE c (d);", 2),
    "a trigger with statements in it": ("CREATE TRIGGER t BEFORE UPDATE ON a\nBEGIN\n  SELECT 1;\n  SELECT 2;\nEND;\nCREATE TABLE c (d);", 2),
    "nothing": ("-- only a comment\n", 0),
}


@pytest.mark.parametrize(("script", "count"), SCRIPTS.values(), ids=SCRIPTS.keys())
def test_a_script_is_split_into_whole_statements(script: str, count: int) -> None:
    found = migrations.statements(script)
    assert len(found) == count
    assert all(sqlite3.complete_statement(statement) for statement in found)
