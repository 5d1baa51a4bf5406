"""commit-on-main: commits while a protected branch is checked out."""

from __future__ import annotations

import pytest

from holdfast.core.verdict import DENY, NOTHING

from .tables import Row, below, both_ways, check, line, rows

ID = "commit-on-main"
TABLE = [
    below(DENY, "cd ../.. && git commit -m x", branch="main"),
    below(DENY, "git -C .. commit -m x", branch="main"),
    below(DENY, "git -C /project commit -m x", branch="main"),
    below(NOTHING, "git -C ../../../other commit -m x", branch="main"),
    line(DENY, "git commit -m x", "commits to main", "git switch -c NAME", branch="main"),
    line(DENY, "git -C . commit -am x", branch="main"),
    line(DENY, "bash -c 'git commit -m x'", branch="main"),
    line(DENY, "g=git; $g commit", branch="main"),
    line(DENY, "git merge feature", branch="main"),
    line(DENY, "git cherry-pick abc", branch="master"),
    line(DENY, "git add . && git commit -m x", branch="main"),
    line(NOTHING, "git commit -m x"),
    line(NOTHING, "git commit -m x", branch="main", merging=True),
    line(NOTHING, "git commit -m x", branch="main", has_commits=False),
    line(NOTHING, "git pull", branch="main"),
    line(NOTHING, "git -C ../other commit -m x", branch="main"),
    line(NOTHING, "git status", branch="main"),
    line(NOTHING, "git commit --dry-run", branch="main"),
    line(NOTHING, "echo 'git commit'", branch="main"),
    line(NOTHING, "git commit -m x", branch="main", own={"branches": ("release",)}),
]


@pytest.mark.parametrize("row", rows(TABLE))
def test_commit_on_main(row: Row) -> None:
    check(ID, row)


def test_the_table_goes_both_ways() -> None:
    assert both_ways(TABLE)
