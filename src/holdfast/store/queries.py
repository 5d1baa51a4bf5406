"""Reading the store for people: what happened, what was said, how the store is."""

from __future__ import annotations

import os
from typing import Any

from holdfast.core.jsontext import NotJson, parse
from holdfast.core.record import Record
from holdfast.store.opening import FILE, SCHEMA_VERSION
from holdfast.store.recovery_names import SPILL
from holdfast.store.sqlite import Connection, DatabaseError, connect

_EVENT = "id, at, host, name, kind, session, agent, tool, cwd, subject, decision, seconds"
_RULING = "policy, mode, concerned, decision, effective, slug, reason, remedy, error, facts, seconds"


class Health(Record):
    """How the store is."""

    exists: bool
    readable: bool = False
    intact: bool = False
    version: int = 0
    events: int = 0
    bytes: int = 0
    waiting: int = 0
    """Bytes of records that could not be written yet."""
    moved_aside: int = 0
    """Corrupt stores that lie beside it."""
    why: str = ""


def open_for_reading(folder: str) -> Connection | None:
    """Open a store without the power to change it; None if there is none."""
    path = f"{folder}/{FILE}"
    if not folder or not os.path.exists(path):
        return None
    connection = connect(path, timeout=5.0, isolation_level=None)
    connection.execute("PRAGMA query_only=1")
    return connection


def events(
    connection: Connection, *, most: int = 50, session: str = "", decision: str = "", policy: str = "", after: int = 0
) -> list[dict[str, Any]]:
    """Return the latest events, oldest first."""
    conditions, values = ["id > ?"], [after]  # type: list[str], list[Any]
    if session:
        conditions.append("session LIKE ? || '%'")
        values.append(session)
    if decision:
        conditions.append("decision = ?")
        values.append(decision)
    if policy:
        conditions.append("id IN (SELECT event FROM ruling WHERE policy = ? AND effective <> 'nothing')")
        values.append(policy)
    query = f"SELECT {_EVENT} FROM event WHERE {' AND '.join(conditions)} ORDER BY id DESC LIMIT ?"
    rows = connection.execute(query, (*values, most)).fetchall()
    return [_named(_EVENT, row) for row in reversed(rows)]


def event(connection: Connection, number: int) -> dict[str, Any] | None:
    """Return one event with its rulings and payload."""
    row = connection.execute(f"SELECT {_EVENT} FROM event WHERE id = ?", (number,)).fetchone()
    if row is None:
        return None
    found = _named(_EVENT, row)
    found["rulings"] = rulings(connection, number)
    body = connection.execute("SELECT body FROM payload WHERE event = ?", (number,)).fetchone()
    found["payload"] = parse(body[0]) if body else None
    query = "SELECT origin FROM delivery WHERE event = ? ORDER BY origin"
    found["origins"] = [origin for (origin,) in connection.execute(query, (number,))]
    return found


def last_ruled(connection: Connection) -> int:
    """Return the number of the event to explain as the last one.

    The latest on which something was decided in the latest session; else the latest on which something was said; else the
    latest at all.
    """
    decided = (
        "SELECT max(id) FROM event WHERE decision NOT IN ('nothing', 'note')"
        " AND session = (SELECT session FROM event ORDER BY id DESC LIMIT 1)"
    )
    said = "SELECT max(event) FROM ruling WHERE effective <> 'nothing' OR error <> ''"
    for query in (decided, said, "SELECT max(id) FROM event"):
        found = connection.execute(query).fetchone()[0]
        if found is not None:
            return int(found)
    return 0


def rulings(connection: Connection, number: int) -> list[dict[str, Any]]:
    """Return the rulings on an event."""
    query = f"SELECT {_RULING} FROM ruling WHERE event = ? ORDER BY id"
    found = [_named(_RULING, row) for row in connection.execute(query, (number,))]
    for one in found:
        one["concerned"] = bool(one["concerned"])
        try:
            one["facts"] = parse(one["facts"])
        except NotJson:
            one["facts"] = []
    return found


def sessions(connection: Connection, most: int = 5) -> list[dict[str, Any]]:
    """Return the latest sessions, newest first."""
    columns = "id, host, root, began, latest, ended, tally"
    rows = connection.execute(f"SELECT {columns} FROM session ORDER BY latest DESC LIMIT ?", (most,)).fetchall()
    found = [_named(columns, row) for row in rows]
    for one in found:
        one["tally"] = parse(one["tally"])
    return found


def roots(connection: Connection) -> list[str]:
    """Return the working trees in which sessions began."""
    return [root for (root,) in connection.execute("SELECT DISTINCT root FROM session WHERE root <> ''")]


def delivered_by_plugin(connection: Connection, since: float) -> bool:
    """Tell whether the plugin delivered an event since then."""
    query = "SELECT 1 FROM delivery JOIN event ON event.id = delivery.event WHERE origin = 'plugin' AND at >= ? LIMIT 1"
    return connection.execute(query, (since,)).fetchone() is not None


def health(folder: str) -> Health:
    """Look at a store from outside."""
    path = f"{folder}/{FILE}"
    if not folder or not os.path.exists(path):
        return Health(exists=False)
    broken = [name for name in os.listdir(folder) if name.startswith(f"{FILE}.corrupt-")]
    aside = sum(not name.endswith(("-wal", "-shm")) for name in broken)
    waiting = os.stat(f"{folder}/{SPILL}").st_size if os.path.exists(f"{folder}/{SPILL}") else 0
    size = sum(os.stat(path + suffix).st_size for suffix in ("", "-wal") if os.path.exists(path + suffix))
    found = Health(exists=True, bytes=size, waiting=waiting, moved_aside=aside)
    try:
        connection = open_for_reading(folder)
        assert connection is not None
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        intact = connection.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok"
        count = connection.execute("SELECT count(*) FROM event").fetchone()[0] if version else 0
        connection.close()
    except DatabaseError as error:
        return found.replace(why=str(error))
    why = f"it was written by a newer Holdfast (schema {version})" if version > SCHEMA_VERSION else ""
    return found.replace(readable=True, intact=intact, version=version, events=count, why=why)


def _named(columns: str, row: tuple[Any, ...]) -> dict[str, Any]:
    return dict(zip(columns.split(", "), row, strict=True))
