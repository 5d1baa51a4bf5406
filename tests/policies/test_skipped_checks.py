"""skipped-checks: what switches the checks of a project off."""

from __future__ import annotations

import pytest

from holdfast.core.verdict import DENY, NOTHING

from .tables import Row, both_ways, check, line, rows

ID = "skipped-checks"
TABLE = [
    line(DENY, "git commit --no-verify -m x", "--no-verify"),
    line(DENY, "git commit -n -m x"),
    line(DENY, "git commit -nm x"),
    line(DENY, "git push --no-verify"),
    line(DENY, "git merge --no-verify x"),
    line(DENY, "git -c core.hooksPath=/dev/null commit -m x", "core.hooksPath"),
    line(DENY, "git config core.hooksPath /dev/null", "core.hooksPath"),
    line(DENY, "HUSKY=0 git commit -m x", "HUSKY"),
    line(DENY, "SKIP=lint git commit -m x", "SKIP"),
    line(DENY, "export HUSKY=0; git commit -m x", "HUSKY"),
    line(DENY, "env HUSKY=0 git commit -m x", "HUSKY"),
    line(DENY, "bash -c 'git commit --no-veri -m x'"),
    line(DENY, "LEFTHOOK=0 git push"),
    line(NOTHING, "git commit -m x"),
    line(NOTHING, "git commit -m 'use --no-verify never'"),
    line(NOTHING, "git config core.hooksPath .githooks"),
    line(NOTHING, "git config --unset core.hooksPath"),
    line(NOTHING, "git log -n 5"),
    line(NOTHING, "HUSKY=0 npm test"),
    line(NOTHING, "grep -rn no-verify ."),
    line(NOTHING, "git fetch -n"),
    line(NOTHING, "git push origin x"),
]


@pytest.mark.parametrize("row", rows(TABLE))
def test_skipped_checks(row: Row) -> None:
    check(ID, row)


def test_the_table_goes_both_ways() -> None:
    assert both_ways(TABLE)
