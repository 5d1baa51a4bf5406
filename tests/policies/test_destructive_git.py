"""destructive-git: asked about, or refused under strict."""

from __future__ import annotations

import pytest

from holdfast.core.verdict import ASK, DENY, NOTHING

from .tables import Row, both_ways, check, line, rows

ID = "destructive-git"
TABLE = [
    line(ASK, "git reset --hard", "throws work away", "git stash push -u"),
    line(ASK, "git reset --hard HEAD~1"),
    line(ASK, "git clean -fdx", "git clean -nd"),
    line(ASK, "git branch -D old", "git branch -d"),
    line(ASK, "git checkout -- ."),
    line(ASK, "git restore ."),
    line(ASK, "git stash drop"),
    line(ASK, "git stash clear"),
    line(ASK, "git reflog expire --expire=now --all"),
    line(ASK, "git filter-branch --tree-filter 'x' HEAD"),
    line(ASK, "git update-ref -d refs/heads/x"),
    line(ASK, "git -C . reset --hard"),
    line(ASK, "sh -c 'git reset --har'"),
    line(DENY, "git reset --hard", "throws work away", own={"refuse": True}),
    line(NOTHING, "git reset"),
    line(NOTHING, "git reset --soft HEAD~1"),
    line(NOTHING, "git reset --keep HEAD~1"),
    line(NOTHING, "git clean -nd"),
    line(NOTHING, "git branch -d merged"),
    line(NOTHING, "git checkout feature"),
    line(NOTHING, "git switch -c x"),
    line(NOTHING, "git restore --staged a.py"),
    line(NOTHING, "git stash push -u"),
    line(NOTHING, "git stash list"),
    line(NOTHING, "git commit -m 'git reset --hard is bad'"),
    line(NOTHING, "git log --grep=reset"),
    line(NOTHING, "git commit --amend -m x"),
    line(NOTHING, "git rebase main"),
]


@pytest.mark.parametrize("row", rows(TABLE))
def test_destructive_git(row: Row) -> None:
    check(ID, row)


def test_the_table_goes_both_ways() -> None:
    assert both_ways(TABLE)
