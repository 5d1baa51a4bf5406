"""tampering: the agent does not rewrite what holds it."""

from __future__ import annotations

import pytest

from holdfast.core.verdict import DENY, NOTHING

from .tables import Row, below, both_ways, check, edit, line, on, rows

ID = "tampering"
TABLE = [
    below(DENY, "echo x > ../../holdfast.toml", "holdfast.toml"),
    below(DENY, "rm ../../.claude/settings.json"),
    below(DENY, "echo pass > ../../.claude/.test-status"),
    below(NOTHING, "echo x > holdfast.toml"),
    line(DENY, "echo x > holdfast.toml", "holdfast.toml"),
    line(DENY, "sed -i s/strict/standard/ holdfast.toml"),
    line(DENY, "rm holdfast.toml"),
    line(DENY, "mv holdfast.toml x"),
    line(DENY, "rm -rf .git/holdfast"),
    line(DENY, "echo {} > .claude/settings.local.json"),
    line(DENY, "tee .git/hooks/pre-commit < x"),
    line(DENY, "chmod -x .git/hooks/pre-commit"),
    line(DENY, "cp x .claude/settings.json"),
    line(DENY, "rm -rf .claude"),
    line(DENY, "cd .claude && rm settings.json"),
    line(DENY, "echo x > /project/holdfast.toml"),
    line(DENY, "bash -c 'echo x >> holdfast.toml'"),
    line(DENY, "rm notes/rules.md", own={"files": ("notes/rules.md",)}),
    Row(
        "edit of the configuration",
        edit("/project/holdfast.toml"),
        on("x", "/project/holdfast.toml"),
        DENY,
        ("holdfast.toml",),
    ),
    Row("edit of the wiring", edit("/project/.claude/settings.json"), on("x", "/project/.claude/settings.json"), DENY),
    Row(
        "edit of a git hook",
        edit("/project/.git/hooks/pre-commit"),
        on("x", "/project/.git/hooks/pre-commit", in_git_dir=True),
        DENY,
    ),
    Row("edit of source", edit("/project/src/a.py"), on("x", "/project/src/a.py"), NOTHING),
    Row("edit of an agent's file", edit("/project/.claude/agents/x.md"), on("x", "/project/.claude/agents/x.md"), NOTHING),
    line(NOTHING, "cat holdfast.toml"),
    line(NOTHING, "git add holdfast.toml"),
    line(NOTHING, "grep -n strict holdfast.toml > found.txt"),
    line(NOTHING, "ls .git/hooks"),
    line(NOTHING, "echo x > src/holdfast.toml"),
    line(NOTHING, "echo 'rm holdfast.toml'"),
]


@pytest.mark.parametrize("row", rows(TABLE))
def test_tampering(row: Row) -> None:
    check(ID, row)


def test_the_table_goes_both_ways() -> None:
    assert both_ways(TABLE)
