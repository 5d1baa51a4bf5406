"""temp-write: what goes into the project, what is refused, what passes."""

from __future__ import annotations

import pytest

from holdfast.core.verdict import DENY, NOTHING, REWRITE

from .tables import Row, both_ways, check, line, rows

ID = "temp-write"
TABLE = [
    line(REWRITE, "cp /tmp/in /tmp/out", "mkdir -p tmp && cp /tmp/in tmp/out"),
    line(REWRITE, "echo x > /tmp/a/b", "mkdir -p tmp/a && echo x > tmp/a/b"),
    line(DENY, "cd src && echo x > /tmp/a", "tmp/a"),
    line(REWRITE, "pytest > /tmp/out.txt", "mkdir -p tmp && pytest > tmp/out.txt"),
    line(REWRITE, "echo x > /tmp/a; cat /tmp/a", "mkdir -p tmp && echo x > tmp/a; cat tmp/a"),
    line(REWRITE, "make 2>&1 | tee /tmp/log", "tee tmp/log"),
    line(REWRITE, "cp a.txt /tmp/b", "cp a.txt tmp/b"),
    line(REWRITE, "curl -so /tmp/x https://a.example", "-so tmp/x"),
    line(REWRITE, "mkdir -p /tmp/d", "mkdir -p tmp/d"),
    line(REWRITE, "echo é > /var/tmp/a", "echo é > tmp/a"),
    line(REWRITE, "x=/tmp/y; echo a > $x", "echo a > tmp/y"),
    line(DENY, "bash -c 'echo x > /tmp/y'", "tmp/y"),
    line(DENY, 'echo x > "/tmp/a b"', "tmp/a b"),
    line(NOTHING, "cat /tmp/x"),
    line(NOTHING, "echo x > tmp/y"),
    line(NOTHING, "echo x > out/tmp/y"),
    line(NOTHING, 'echo "> /tmp/x"'),
    line(NOTHING, 'git commit -m "write to /tmp/x"'),
    line(NOTHING, "echo x > /tmp/claude-1/scratch"),
    line(NOTHING, "ls > /dev/null"),
]


@pytest.mark.parametrize("row", rows(TABLE))
def test_temp_write(row: Row) -> None:
    check(ID, row)


def test_the_table_goes_both_ways() -> None:
    assert both_ways(TABLE)
