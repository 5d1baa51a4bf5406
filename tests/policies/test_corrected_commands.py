"""Whatever a policy offers instead of a command passes all policies; so does whatever it rewrites a command to."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.core.event import CommandProposed
from holdfast.core.policy import CLOSE
from holdfast.core.verdict import ASK, REFUSALS, REWRITE
from holdfast.policies.catalog import CATALOG, load

from . import (
    test_catastrophic_command,
    test_commit_on_main,
    test_destructive_git,
    test_force_push,
    test_masked_test_run,
    test_safe_command,
    test_skipped_checks,
    test_tampering,
    test_temp_write,
    test_worktree_removal,
)
from .tables import Row, line, ruled

TABLES: list[Any] = [
    test_catastrophic_command, test_commit_on_main, test_destructive_git, test_force_push, test_masked_test_run, test_safe_command,
    test_skipped_checks, test_tampering, test_temp_write, test_worktree_removal,
]  # fmt: skip
PROGRAMS = ("git", "set", "pytest", "npm", "cargo", "cd")


def offered() -> list[tuple[str, str]]:
    """Every command that a remedy names, and every command that is rewritten, with the policy that said so."""
    found = []
    for module in TABLES:
        for row in module.TABLE:
            if not isinstance(row.event, CommandProposed):
                continue
            verdict = ruled(module.ID, row).verdict
            if verdict.decision == REWRITE:
                assert verdict.rewritten is not None
                found.append((module.ID, verdict.rewritten["command"]))
            quoted = verdict.remedy.split("`")[1::2]
            found.extend(
                (module.ID, text.replace("NAME", "name"))
                for text in quoted
                if text.split()[:1] and text.split()[0] in PROGRAMS
            )
    return sorted(set(found))


OFFERED = offered()


def test_there_is_something_to_check() -> None:
    assert len(OFFERED) > 15
    assert len({policy for policy, _text in OFFERED}) >= 5


@pytest.mark.parametrize(("policy", "text"), OFFERED)
def test_what_is_offered_passes_every_gate(policy: str, text: str) -> None:
    row: Row = line("nothing", text, branch="main" if "switch" in text else "feature")
    for entry in CATALOG:
        if "CommandProposed" not in entry.events or load(entry).posture != CLOSE:
            continue
        if entry.id != policy and entry.id in ("force-push", "temp-write"):
            continue  # another rewriter may still move a file; it is heard again on the result
        decision = ruled(entry.id, row).verdict.decision
        assert decision not in (*REFUSALS, ASK), f"{entry.id} refuses what {policy} offers"
        assert decision != REWRITE or entry.id != policy, "a rewritten command is not rewritten again"
