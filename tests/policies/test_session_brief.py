"""session-brief: what the agent is told at the start."""

from __future__ import annotations

import pytest

from holdfast.core.facts import Unknown, working_tree_of
from holdfast.core.verdict import AGENT, NOTE

from .tables import ROOT, Row, check, enforced, nowhere, on, rows, ruled, start, tree

ID = "session-brief"
GATE = ("edit-on-main", "source edits are refused on main")
OTHER = ("force-push", "forced pushes are refused")
CLEAN = {**on("feature", ROOT), **tree(ROOT), **enforced(GATE)}

TABLE = [
    # git
    Row("a clean tree", start(), CLEAN, NOTE, ("Git: branch feature, nothing uncommitted.",)),
    Row("one file", start(), {**CLEAN, **tree(ROOT, 1)}, NOTE, ("1 uncommitted file.",), ("untracked", "files")),
    Row("three files", start(), {**CLEAN, **tree(ROOT, 3)}, NOTE, ("branch feature, 3 uncommitted files.",), ("untracked",)),
    Row(
        "files that git does not know", start(), {**CLEAN, **tree(ROOT, 3, 1)}, NOTE, ("3 uncommitted files (1 untracked).",)
    ),
    Row("no repository", start(), {**CLEAN, **nowhere(ROOT)}, NOTE, ("in no repository", "Enforced"), ("uncommitted",)),
    Row("a detached HEAD", start(), {**CLEAN, **on("", ROOT)}, NOTE, ("Git: detached HEAD, nothing",), ("branch",)),
    Row("no commit yet", start(), {**CLEAN, **on("main", ROOT, has_commits=False)}, NOTE, ("branch main, no commit yet",)),
    Row(
        "a merge",
        start(),
        {**CLEAN, **on("main", ROOT, merging=True)},
        NOTE,
        ("branch main, operation like a merge in progress",),
    ),
    Row("git did not answer", start(), {**CLEAN, **tree(ROOT, -1, -1)}, NOTE, ("not counted", "did not answer in time")),
    Row("another folder", start(cwd="/w"), {**on("b", "/w", root="/w"), **tree("/w"), **enforced()}, NOTE, ("branch b",)),
    Row("without git, by the settings", start(), enforced(GATE), NOTE, ("Enforced",), ("Git:",), {"git": False}),
    # what is enforced
    Row("a gate", start(), CLEAN, NOTE, ("Enforced (profile strict): edit-on-main – source edits are refused on main.",)),
    Row("two gates", start(), {**CLEAN, **enforced(GATE, OTHER)}, NOTE, ("refused on main; force-push – forced pushes",)),
    Row("no gate", start(), {**CLEAN, **enforced(profile="standard")}, NOTE, ("profile standard): nothing is refused",)),
    Row(
        "only observing",
        start(),
        {**CLEAN, **enforced(profile="observe", warned=("edit-on-main",))},
        NOTE,
        ("Observed (profile observe)", "stops nothing"),
        ("Enforced",),
    ),
    Row(
        "one gate enforced, another only observing",
        start(),
        {**CLEAN, **enforced(GATE, warned=("force-push",))},
        NOTE,
        ("edit-on-main",),
        ("stops nothing",),
    ),
    # every way in which a session starts
    *(
        Row(f"after {source}", start(source), CLEAN, NOTE, ("Git:",))
        for source in ("resume", "clear", "compact", "fork", "")
    ),
]


@pytest.mark.parametrize("row", rows(TABLE))
def test_session_brief(row: Row) -> None:
    ruling = check(ID, row)
    assert ruling.verdict.audience == AGENT


def test_it_asks_git_nothing_that_the_settings_do_not_want() -> None:
    assert [kind for kind, _ in ruled(ID, Row("", start(), enforced(), own={"git": False})).facts] == ["enforcement"]


def test_it_opens_when_the_working_tree_is_not_known() -> None:
    ruling = ruled(ID, Row("", start(), {**CLEAN, working_tree_of(ROOT): Unknown("no git")}))
    assert (ruling.effective, bool(ruling.error)) == (NOTE, True)
