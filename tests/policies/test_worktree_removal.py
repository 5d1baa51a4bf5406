"""worktree-removal: the folder of the session is not removed."""

from __future__ import annotations

import pytest

from holdfast.core.verdict import DENY, NOTHING

from .tables import Row, both_ways, check, line, rows

ID = "worktree-removal"
TABLE = [
    line(DENY, "git worktree remove .", "stands in"),
    line(DENY, "git worktree remove /project"),
    line(DENY, "git worktree remove --force /project"),
    line(DENY, "git worktree remove .."),
    line(DENY, "bash -c 'git worktree remove .'"),
    line(NOTHING, "git worktree remove other"),
    line(NOTHING, "git worktree remove /elsewhere"),
    line(NOTHING, "git worktree remove ../feature"),
    line(NOTHING, "git worktree list"),
    line(NOTHING, "git worktree add ../x"),
    line(NOTHING, "echo 'git worktree remove .'"),
    line(NOTHING, "git worktree prune"),
]


@pytest.mark.parametrize("row", rows(TABLE))
def test_worktree_removal(row: Row) -> None:
    check(ID, row)


def test_the_table_goes_both_ways() -> None:
    assert both_ways(TABLE)
