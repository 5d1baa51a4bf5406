"""Bringing a store up to the present schema: numbered steps, forward only, under the write lock."""

from __future__ import annotations

import os
import time

from holdfast.store.opening import SCHEMA_VERSION
from holdfast.store.sqlite import Connection, OperationalError
from holdfast.store.transaction import Transaction


def schema_text() -> str:
    """Return the documented schema."""
    with open(os.path.join(os.path.dirname(__file__), "schema.sql"), encoding="utf-8") as file:
        return file.read()


def _first(connection: Connection) -> None:
    for statement in statements(schema_text()):
        connection.execute(statement)


_ATTEMPTS = 200
"""How often to try to switch to the write-ahead log, a hundredth of a second apart."""
STEPS = {1: _first}
"""Version → the step that leads to it. Version 1 is the schema file; a later change adds a step and edits the file."""


def migrate(connection: Connection) -> None:
    """Apply the steps that are missing, each in a transaction of its own."""
    # outside a transaction; keeps its value for ever, so that only the maker of the file pays for it
    # small pages, because each event touches many and the log holds whole ones
    connection.execute("PRAGMA page_size=1024")
    connection.execute("PRAGMA auto_vacuum=INCREMENTAL")
    _use_log(connection)
    for version in range(1, SCHEMA_VERSION + 1):
        with Transaction(connection):
            # another hook may have been first
            if connection.execute("PRAGMA user_version").fetchone()[0] < version:
                STEPS[version](connection)
                connection.execute(f"PRAGMA user_version={version:d}")


def _use_log(connection: Connection) -> None:
    """Switch to the write-ahead log. While another hook looks at the file this fails at once, without waiting as all else does."""
    for attempt in range(_ATTEMPTS):
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except OperationalError as error:
            if "locked" not in str(error) or attempt == _ATTEMPTS - 1:
                raise
            time.sleep(0.01)


def statements(text: str) -> list[str]:
    """Split the schema file into statements; a trigger's body ends with END."""
    found: list[str] = []
    current: list[str] = []
    for line in text.splitlines():
        code = line.partition("--")[0].strip()
        if not code and not current:
            continue
        current.append(line)
        in_trigger = current[0].lstrip().startswith("CREATE TRIGGER")
        if code.endswith("END;") if in_trigger else code.endswith(";"):
            found.append("\n".join(current))
            current = []
    return found
