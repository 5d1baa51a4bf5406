"""What the tables of the policies are built from.

A row is an event, the facts that are known, and what the policy says to it. Rows are judged by the engine, with the
policy as the catalog loads it, so that a table tests the path that a hook takes.
"""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.app.reading import reading_of as real_reading
from holdfast.core.engine import Ruling, World, judge
from holdfast.core.event import CommandProposed, EditProposed, Event, FileEdit, Head, SessionStarted, StopRequested
from holdfast.core.facts import (
    ENFORCEMENT,
    TALLY,
    Enforcement,
    Repository,
    Request,
    Unknown,
    WorkingTree,
    reading_of,
    repository_of,
    working_tree_of,
)
from holdfast.core.ledger.tally import Tally
from holdfast.core.record import Record
from holdfast.core.settings import ENFORCE, PolicySettings, Settings
from holdfast.core.verdict import NOTHING
from holdfast.policies.catalog import entry_of, load
from tests.shell.conftest import shfmt

ROOT = "/project"
HEAD = Head(session="s", cwd=ROOT)

Known = dict[Request, object]


class Row(Record):
    """One line of a table."""

    name: str
    event: Event
    known: Known = {}
    decision: str = NOTHING
    says: tuple[str, ...] = ()
    """Parts of the reason or the remedy."""
    never_says: tuple[str, ...] = ()
    own: dict[str, Any] = {}
    """The policy's settings that differ from its defaults."""


def rows(table: list[Row]) -> list[Any]:
    """Return a table as pytest's parameters, each under its name."""
    assert len({row.name for row in table}) == len(table), "a name occurs twice"
    return [pytest.param(row, id=row.name) for row in table]


def ruled(policy: str, row: Row) -> Ruling:
    """Return the ruling of a policy on a row."""
    entry = entry_of(policy)
    assert entry is not None, f"{policy} is not in the catalog"
    settings = Settings(policies={policy: PolicySettings(ENFORCE, own=row.own)})
    world = World(lambda request: row.known.get(request, Unknown("the row does not tell")), lambda: 0.0, 1.0, ROOT)
    (ruling,) = judge(row.event, (load(entry),), settings, world).rulings
    return ruling


def check(policy: str, row: Row) -> Ruling:
    """Compare what a policy says with what its row expects."""
    ruling = ruled(policy, row)
    assert ruling.error == ""
    verdict = ruling.verdict
    text = f"{verdict.reason}\n{verdict.remedy}"
    assert verdict.decision == row.decision, text
    assert [part for part in row.says if part not in text] == [], text
    assert [part for part in row.never_says if part in text] == [], text
    assert bool(verdict.slug) == (verdict.decision != NOTHING), "what is said has a name, and silence has none"
    return ruling


def both_ways(table: list[Row]) -> bool:
    """Tell whether a table has rows that fire and rows that stay silent."""
    return {row.decision == NOTHING for row in table} == {True, False}


# --- events ---


def edit(*paths: str) -> EditProposed:
    """An edit of these files."""
    return EditProposed(HEAD.replace(name="PreToolUse", tool="Edit"), tuple(FileEdit(path) for path in paths))


def command(text: str, cwd: str = ROOT) -> CommandProposed:
    """A shell command, given where the host stands."""
    return CommandProposed(HEAD.replace(name="PreToolUse", tool="Bash", cwd=cwd), text)


def below(decision: str, text: str, *says: str, branch: str = "feature") -> Row:
    """A row about a command that is given in a folder of the project."""
    folder = f"{ROOT}/sub/deep"
    known = {reading_of(text): real_reading(text, shfmt()), **on(branch, folder)}
    return Row(f"in sub/deep: {text}", command(text, folder), known, decision, says)


def start(source: str = "startup", cwd: str = ROOT) -> SessionStarted:
    """The start of a session."""
    return SessionStarted(HEAD.replace(name="SessionStart", cwd=cwd), source)


def stop(cwd: str = ROOT) -> StopRequested:
    """The end of a turn."""
    return StopRequested(HEAD.replace(name="Stop", cwd=cwd))


# --- facts ---


def on(branch: str, *paths: str, root: str = ROOT, **more: Any) -> Known:
    """These paths lie in a repository on this branch that has commits."""
    known: Known = {}
    for path in paths:
        relative = path.removeprefix(root).lstrip("/") or "."
        known[repository_of(path)] = Repository(root, relative, branch, has_commits=True).replace(**more)
    return known


def read(text: str, branch: str = "feature", **more: Any) -> Known:
    """What a command does, read by the real parser, in a project on this branch."""
    return {reading_of(text): real_reading(text, shfmt()), **on(branch, ROOT, **more)}


def line(
    decision: str, text: str, *says: str, branch: str = "feature", own: dict[str, Any] | None = None, **more: Any
) -> Row:
    """A row about a command, named after it."""
    name = text if branch == "feature" and not own and not more else f"{text} ({branch} {own or ''} {more or ''})"
    return Row(name, command(text), read(text, branch, **more), decision, says, own=own or {})


def nowhere(*paths: str) -> Known:
    """These paths lie in no repository."""
    return {repository_of(path): Repository() for path in paths}


def tree(path: str, dirty: int = 0, untracked: int = 0) -> Known:
    """The working tree of a path has so many uncommitted files."""
    return {working_tree_of(path): WorkingTree(dirty, untracked)}


def enforced(*gates: tuple[str, str], profile: str = "strict", **more: Any) -> Known:
    """These gates are enforced."""
    return {ENFORCEMENT: Enforcement(profile, gates, **more)}


def did(**counts: Any) -> Known:
    """What the session did so far."""
    return {TALLY: Tally(**counts)}
