"""Keeping the store small: old events go by age and number, payloads earlier by their size."""

from __future__ import annotations

from holdfast.store.opening import Store
from holdfast.store.transaction import Transaction

EVERY_SECONDS = 86_400
MOST_REMOVED = 20_000
"""Events that one pruning removes at most, so that a session's start stays quick."""
MOST_READINGS = 5_000
"""Commands whose reading is kept."""
MOST_PAYLOAD = 64_000_000
"""Characters of payloads that are kept."""
_DAY = 86_400


def prune(store: Store, retention_days: int, max_events: int, now: float, *, force: bool = False) -> int:
    """Remove what is too old or too much, at most once a day; return how many events went."""
    connection = store.connection
    found = connection.execute("SELECT value FROM meta WHERE key = 'pruned_at'").fetchone()
    # a clock that was set back must not put pruning off for ever
    if found and not force and 0 <= now - float(found[0]) < EVERY_SECONDS:
        return 0
    with Transaction(connection):
        removed = _prune(store, now - retention_days * _DAY, max_events)
        connection.execute("INSERT OR REPLACE INTO meta VALUES ('pruned_at', ?)", (repr(now),))
    connection.execute("PRAGMA incremental_vacuum(2000)").fetchall()
    return removed


def _prune(store: Store, oldest: float, max_events: int) -> int:
    connection = store.connection
    newest = connection.execute("SELECT coalesce(max(id), 0) FROM event").fetchone()[0]
    first = connection.execute("SELECT coalesce(min(id), 0) FROM event").fetchone()[0]
    young = connection.execute("SELECT min(id) FROM event WHERE at >= ?", (oldest,)).fetchone()[0]
    keep_from = max(young if young is not None else newest + 1, newest - max_events + 1)
    keep_from = min(keep_from, first + MOST_REMOVED)
    # the triggers let go only of what lies before this
    connection.execute("INSERT OR REPLACE INTO meta VALUES ('retain_after', ?)", (str(keep_from),))
    for table in ("payload", "delivery", "ruling"):
        connection.execute(f"DELETE FROM {table} WHERE event < ?", (keep_from,))
    removed = connection.execute("DELETE FROM event WHERE id < ?", (keep_from,)).rowcount
    connection.execute("DELETE FROM session WHERE latest < ?", (oldest,))
    connection.execute("DELETE FROM told WHERE session NOT IN (SELECT id FROM session)")
    _prune_payloads(store)
    if connection.execute("SELECT count(*) FROM reading").fetchone()[0] > MOST_READINGS:
        connection.execute("DELETE FROM reading")  # it fills again by itself
    return removed


def _prune_payloads(store: Store) -> None:
    """Drop the oldest payloads until the rest fits."""
    connection = store.connection
    total = 0
    for number, size in connection.execute("SELECT event, length(body) FROM payload ORDER BY event DESC"):
        total += size
        if total > MOST_PAYLOAD:
            connection.execute("DELETE FROM payload WHERE event <= ?", (number,))
            return
