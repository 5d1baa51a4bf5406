"""The schema file is the schema: what it says is applied, everything in it is explained, and history cannot be changed."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from holdfast.store import migrations, opening
from tests.support.hook_process import Project
from tests.support.ledger import Ledger, ledger_of
from tests.support.payloads import write_proposed

SCHEMA_FILE = Path(migrations.__file__).with_name("schema.sql")


@pytest.fixture
def fresh(tmp_path: Path) -> Ledger:
    opening.open_store(str(tmp_path)).connection.close()
    return Ledger(tmp_path)


def applied(ledger: Ledger) -> list[str]:
    return ledger.column("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid")


def test_a_fresh_store_reports_exactly_the_statements_of_the_schema_file(fresh: Ledger, tmp_path: Path) -> None:
    by_sqlite = Ledger(tmp_path / "by-sqlite")
    by_sqlite.folder.mkdir()
    with sqlite3.connect(by_sqlite.file) as connection:
        connection.executescript(SCHEMA_FILE.read_text())
    assert applied(fresh) == applied(by_sqlite)
    assert len(applied(fresh)) == len(migrations.statements(SCHEMA_FILE.read_text()))


def test_a_fresh_store_has_the_present_version_and_writes_ahead(fresh: Ledger) -> None:
    assert fresh.column("PRAGMA user_version") == [opening.SCHEMA_VERSION]
    assert fresh.column("PRAGMA journal_mode") == ["wal"]
    assert fresh.column("PRAGMA auto_vacuum") == [2]


def test_the_history_in_the_schema_file_ends_with_the_present_version() -> None:
    header = SCHEMA_FILE.read_text().partition("\n\n")[0].splitlines()
    versions = [line.split()[1] for line in header if line.startswith("--   ")]
    assert versions == [str(number) for number in range(1, opening.SCHEMA_VERSION + 1)]


def tables() -> dict[str, list[str]]:
    """Return the lines of each table's definition, the line before it first."""
    found: dict[str, list[str]] = {}
    name = ""
    previous = ""
    for line in SCHEMA_FILE.read_text().splitlines():
        if line.startswith("CREATE TABLE"):
            name = line.split()[2]
            found[name] = [previous]
        elif line.startswith(")"):
            name = ""
        elif name:
            found[name].append(line)
        previous = line
    return found


@pytest.mark.parametrize("table", tables())
def test_a_table_has_a_comment(table: str) -> None:
    assert tables()[table][0].startswith("-- ")


@pytest.mark.parametrize("table", tables())
def test_every_column_has_a_comment(table: str) -> None:
    columns = [line for line in tables()[table][1:] if not line.lstrip().startswith("PRIMARY KEY")]
    assert [line.split()[0] for line in columns if "--" not in line] == []


def test_the_comments_are_read_for_every_table_of_a_fresh_store(fresh: Ledger) -> None:
    assert sorted(tables()) == fresh.column(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
    )


FORGERIES = [
    ("UPDATE event SET decision = 'nothing'", "events are append-only"),
    ("UPDATE event SET subject = subject", "events are append-only"),
    ("DELETE FROM event", "events are removed by retention only"),
    ("DELETE FROM event WHERE id = 1", "events are removed by retention only"),
    ("UPDATE ruling SET effective = 'nothing'", "rulings are append-only"),
    ("DELETE FROM ruling", "rulings are removed by retention only"),
]


@pytest.mark.parametrize(("statement", "refusal"), FORGERIES)
def test_history_can_be_neither_changed_nor_removed(project: Project, statement: str, refusal: str) -> None:
    project.hook("PreToolUse", write_proposed(project))
    ledger = ledger_of(project)
    before = ledger.rows("SELECT * FROM event JOIN ruling ON event = event.id")
    with pytest.raises(sqlite3.IntegrityError, match=refusal):
        ledger.rows(statement)
    assert ledger.rows("SELECT * FROM event JOIN ruling ON event = event.id") == before


def test_an_event_cannot_be_replaced_by_inserting_its_number_again(project: Project) -> None:
    project.hook("PreToolUse", write_proposed(project, tool_use_id="real"))
    ledger = ledger_of(project)
    columns = "id, at, host, name, kind, session, agent, tool, tool_use, prompt, cwd, subject, decision, seconds, identity"
    with pytest.raises(sqlite3.IntegrityError):
        ledger.rows(f"INSERT OR REPLACE INTO event ({columns}) SELECT {columns.replace('tool_use', quoted('forged'))} FROM event")
    assert ledger.tool_uses() == ["real"]


def quoted(text: str) -> str:
    return f"'{text}'"


def test_a_number_of_an_event_is_never_given_twice(project: Project) -> None:
    for _ in range(2):
        project.hook("PreToolUse", write_proposed(project))
    ledger = ledger_of(project)
    ledger.change("INSERT OR REPLACE INTO meta VALUES ('retain_after', '3')", "DELETE FROM event")
    project.hook("PreToolUse", write_proposed(project))
    assert ledger.column("SELECT id FROM event") == [3]
