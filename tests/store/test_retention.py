"""Retention removes by age, by number and by size, at most once a day, and nothing else can remove."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from holdfast.store import retention
from holdfast.store.opening import Store, open_store
from tests.support.hook_process import Project
from tests.support.ledger import ledger_of
from tests.support.payloads import session_start, write_proposed

DAY = 86_400
NOW = 1_800_000_000.0
GENEROUS = {"retention_days": 1000, "max_events": 1_000_000}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    found = open_store(str(tmp_path))
    yield found
    found.connection.close()


def add_events(store: Store, *ages_in_days: float, session: str = "s") -> None:
    """Add events of these ages, each with everything that can hang on one."""
    for age in ages_in_days:
        at = NOW - age * DAY
        texts = ("claude-code", "PreToolUse", "EditProposed", session, "", "Write", "", "", "/", "a.py", "deny")
        number = store.connection.execute(
            "INSERT INTO event (at, host, name, kind, session, agent, tool, tool_use, prompt, cwd, subject, decision, seconds,"
            " identity) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,0,'')",
            (at, *texts),
        ).lastrowid
        store.connection.execute("INSERT INTO payload VALUES (?, '{}')", (number,))
        store.connection.execute("INSERT INTO delivery VALUES (?, 'settings')", (number,))
        store.connection.execute(
            "INSERT INTO ruling (event, policy, mode, concerned, decision, effective, slug, reason, remedy, error, facts, seconds)"
            " VALUES (?, 'p', 'enforce', 1, 'deny', 'deny', '', '', '', '', '[]', 0)",
            (number,),
        )
        store.connection.execute("INSERT OR REPLACE INTO session VALUES (?, 'claude-code', '/', ?, ?, NULL, '{}')", (session, at, at))
        store.connection.execute("INSERT OR REPLACE INTO told VALUES (?, 'config-problem', ?, '')", (session, at))


def numbers(store: Store, table: str, column: str = "event") -> list[int]:
    return [number for (number,) in store.connection.execute(f"SELECT {column} FROM {table} ORDER BY {column}")]


def test_events_beyond_their_age_go_with_all_that_hangs_on_them(store: Store) -> None:
    add_events(store, 40, 31, 29, 1)
    assert retention.prune(store, 30, 1_000, NOW) == 2
    assert numbers(store, "event", "id") == [3, 4]
    for table in ("payload", "delivery", "ruling"):
        assert numbers(store, table) == [3, 4]


def test_sessions_and_notices_go_when_their_latest_event_is_too_old(store: Store) -> None:
    add_events(store, 40, 35, session="old")
    add_events(store, 40, 1, session="young")
    retention.prune(store, 30, 1_000, NOW)
    for query in ("SELECT id FROM session", "SELECT session FROM told"):
        assert store.connection.execute(query).fetchall() == [("young",)]


def test_events_beyond_their_number_go_oldest_first(store: Store) -> None:
    add_events(store, *[1] * 10)
    assert retention.prune(store, 30, 4, NOW) == 6
    assert numbers(store, "event", "id") == [7, 8, 9, 10]


@pytest.mark.parametrize(("days", "most"), [(0, 1_000), (30, 0)])
def test_nothing_may_be_kept(store: Store, days: int, most: int) -> None:
    add_events(store, 2, 1)
    assert retention.prune(store, days, most, NOW) == 2
    assert numbers(store, "event", "id") == []


def test_an_empty_store_can_be_pruned(store: Store) -> None:
    assert retention.prune(store, 30, 1_000, NOW) == 0


def test_an_old_event_among_young_ones_stays_until_all_before_it_are_old(store: Store) -> None:
    add_events(store, 1, 40, 1)
    assert retention.prune(store, 30, 1_000, NOW) == 0
    assert numbers(store, "event", "id") == [1, 2, 3]


def test_one_pruning_removes_only_so_many(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "MOST_REMOVED", 3)
    add_events(store, *[40] * 5)
    assert retention.prune(store, 30, 1_000, NOW) == 3
    assert retention.prune(store, 30, 1_000, NOW, force=True) == 2


def test_payloads_go_earlier_than_their_events_when_they_are_too_large_together(store: Store) -> None:
    add_events(store, *[1] * 70)
    store.connection.execute("UPDATE payload SET body = hex(zeroblob(500000))")
    retention.prune(store, **GENEROUS, now=NOW)
    assert len(numbers(store, "event", "id")) == 70
    assert numbers(store, "payload") == list(range(7, 71)), "64 MB of the newest"


def test_pruning_happens_at_most_once_a_day(store: Store) -> None:
    add_events(store, 40)
    assert retention.prune(store, 30, 1_000, NOW) == 1
    add_events(store, 40)
    assert retention.prune(store, 30, 1_000, NOW + DAY - 1) == 0
    assert retention.prune(store, 30, 1_000, NOW + DAY) == 1


def test_a_clock_that_was_set_back_does_not_stop_pruning_for_ever(store: Store) -> None:
    retention.prune(store, 30, 1_000, NOW + 1000 * DAY)
    add_events(store, 40)
    assert retention.prune(store, 30, 1_000, NOW) == 1


def test_a_pruning_that_fails_removes_nothing(store: Store) -> None:
    add_events(store, 40, 1)
    store.connection.execute("DROP TABLE told")
    with pytest.raises(Exception, match="told"):
        retention.prune(store, 30, 1_000, NOW)
    assert numbers(store, "event", "id") == [1, 2]
    assert numbers(store, "ruling") == [1, 2]


def test_after_pruning_what_is_kept_cannot_be_removed(store: Store) -> None:
    add_events(store, 40, 1)
    retention.prune(store, 30, 1_000, NOW)
    for table, column in (("event", "id"), ("ruling", "event")):
        with pytest.raises(Exception, match="removed by retention only"):
            store.connection.execute(f"DELETE FROM {table} WHERE {column} = 2")


def test_a_sessions_start_prunes_by_the_projects_settings(project: Project) -> None:
    (project.folder / "holdfast.toml").write_text('profile = "strict"\nmax_events = 2\n')
    for number in range(4):
        project.hook("PreToolUse", write_proposed(project, tool_use_id=f"call-{number}"))
    ledger = ledger_of(project)
    assert ledger.count() == 4
    project.hook("SessionStart", session_start(project))
    assert ledger.tool_uses() == ["call-3", ""]
    project.hook("PreToolUse", write_proposed(project))
    project.hook("SessionStart", session_start(project, source="resume"))
    assert ledger.count() == 4, "once a day"
    (pruned_at,) = ledger.column("SELECT value FROM meta WHERE key = 'pruned_at'")
    assert abs(time.time() - float(pruned_at)) < 60
