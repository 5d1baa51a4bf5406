"""force-push: which pushes are refused."""

from __future__ import annotations

import pytest

from holdfast.core.verdict import DENY, NOTHING, REWRITE

from .tables import Row, both_ways, check, line, rows

ID = "force-push"
TABLE = [
    line(DENY, "git push --force origin main", "the branch main"),
    line(DENY, "git push -f origin main"),
    line(DENY, "git push origin +main", "overwrites the branch main"),
    line(DENY, "git push --force-with-lease origin main"),
    line(DENY, "git push origin --delete main", "deletes the branch main"),
    line(DENY, "git push origin :main", "deletes"),
    line(DENY, "git push --mirror"),
    line(REWRITE, "git push -f", "`git push --force-with-lease`"),
    line(REWRITE, "git push --force origin feature", "`git push --force-with-lease origin feature`"),
    line(
        REWRITE,
        "make && git push -f origin x; echo 'git push -f'",
        "git push --force-with-lease origin x; echo 'git push -f'",
    ),
    line(DENY, "git -C . push -f origin HEAD:main"),
    line(DENY, "bash -c 'git push --force'"),
    line(DENY, "cd src && git push -fu origin x"),
    line(DENY, "git push -f origin release", "overwrites the branch release", own={"branches": ("release",)}),
    line(NOTHING, "git push"),
    line(NOTHING, "git push origin feature"),
    line(NOTHING, "git push --force-with-lease origin feature"),
    line(NOTHING, "git push --force-with-lease"),
    line(NOTHING, "git push origin main"),
    line(NOTHING, "git commit -m 'no --force push to main'"),
    line(NOTHING, "git fetch --force origin main"),
    line(NOTHING, "git push origin fix-f"),
    line(NOTHING, "echo git push --force"),
    line(NOTHING, "git push origin --delete feature"),
]


@pytest.mark.parametrize("row", rows(TABLE))
def test_force_push(row: Row) -> None:
    check(ID, row)


def test_the_table_goes_both_ways() -> None:
    assert both_ways(TABLE)
