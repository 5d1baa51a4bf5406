"""safe-command: what is plainly safe is approved, every doubt is silence."""

from __future__ import annotations

import pytest

from holdfast.core.verdict import ALLOW, ASK, DENY, NOTHING

from .tables import Row, both_ways, check, line, rows

ID = "safe-command"
TABLE = [
    line(ALLOW, "ls -la"),
    line(ALLOW, "git status && git diff"),
    line(ALLOW, "pytest -q 2>&1 | tail -20"),
    line(ALLOW, "cd src && rg -n TODO | head"),
    line(ALLOW, 'for f in *.py; do wc -l "$f"; done'),
    line(ALLOW, "npm test"),
    line(ALLOW, "timeout 60 go test ./..."),
    line(ALLOW, "docker compose up -d", own={"allow": ("docker compose up",)}),
    line(DENY, "git push origin x", own={"deny": ("git push",)}),
    line(ASK, "npm test", own={"ask": ("npm test",)}),
    line(NOTHING, "docker compose up -d"),
    line(NOTHING, "rm x"),
    line(NOTHING, "ls > out.txt"),
    line(NOTHING, "LD_PRELOAD=x ls"),
    line(NOTHING, "cat .env"),
    line(NOTHING, "$CMD"),
    line(NOTHING, "ls $(rm x)"),
    line(NOTHING, "git -c core.pager=x log"),
    line(NOTHING, "echo 'open"),
    line(NOTHING, "docker compose up && rm x", own={"allow": ("docker compose up",)}),
    line(NOTHING, "docker compose up > x", own={"allow": ("docker compose up",)}),
    line(NOTHING, "docker compose down", own={"allow": ("docker compose up",)}),
]


@pytest.mark.parametrize("row", rows(TABLE))
def test_safe_command(row: Row) -> None:
    check(ID, row)


def test_the_table_goes_both_ways() -> None:
    assert both_ways(TABLE)
