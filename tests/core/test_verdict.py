"""Merging: order, grouping and repetition cannot matter, and a refusal cannot get lost."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.verdict import (
    AGENT,
    ALLOW,
    ASK,
    BLOCK,
    DENY,
    NOTE,
    NOTHING,
    PERSON,
    QUIET,
    REFUSALS,
    REWRITE,
    SILENCE,
    STRENGTH,
    Outcome,
    Statement,
    Verdict,
    allow,
    ask,
    block,
    deny,
    merge,
    note,
    outcome,
    rewrite,
)

from .strategies import OUTCOMES, STATEMENTS

STRICTEST: list[tuple[tuple[str, ...], str]] = [
    ((), NOTHING),
    ((NOTHING,), NOTHING),
    ((NOTHING, NOTE), NOTE),
    ((NOTE, ALLOW), ALLOW),
    ((NOTE, REWRITE), REWRITE),
    ((ALLOW, REWRITE), ALLOW),
    ((ALLOW, ASK), ASK),
    ((REWRITE, ASK), ASK),
    ((ALLOW, DENY), DENY),
    ((REWRITE, DENY), DENY),
    ((ASK, DENY), DENY),
    ((ASK, BLOCK), BLOCK),
    ((DENY, BLOCK), BLOCK),
    ((NOTHING, NOTE, ALLOW, REWRITE, ASK, DENY), DENY),
    ((NOTHING, NOTE, ALLOW, REWRITE, ASK, DENY, BLOCK), BLOCK),
]

SAID: list[tuple[str, Verdict, str, str]] = [
    ("silence", SILENCE, NOTHING, AGENT),
    ("note", note("s", "r"), NOTE, AGENT),
    ("note to the person", note("s", "r", audience=PERSON), NOTE, PERSON),
    ("allow", allow("s", "r"), ALLOW, AGENT),
    ("ask", ask("s", "r"), ASK, AGENT),
    ("deny", deny("s", "r", remedy="m"), DENY, AGENT),
    ("block", block("s", "r", remedy="m"), BLOCK, AGENT),
    ("rewrite", rewrite("s", "r", {"command": "ls"}), REWRITE, AGENT),
]


@pytest.mark.parametrize(("decisions", "strictest"), STRICTEST, ids=["+".join(row[0]) or "none" for row in STRICTEST])
def test_the_strictest_word_is_the_decision_in_any_order(decisions: tuple[str, ...], strictest: str) -> None:
    for order in list(permutations(decisions))[:120]:
        assert outcome(Statement(f"p{at}", word) for at, word in enumerate(order)).decision == strictest


@pytest.mark.parametrize(("verdict", "decision", "audience"), [pytest.param(*row[1:], id=row[0]) for row in SAID])
def test_each_word_makes_its_verdict(verdict: Verdict, decision: str, audience: str) -> None:
    assert verdict.decision == decision
    assert verdict.audience == audience
    assert (verdict.rewritten is not None) == (decision == REWRITE)


def test_every_decision_has_a_strength_and_a_row() -> None:
    assert {decision for decisions, _ in STRICTEST for decision in decisions} == set(STRENGTH)
    assert {row[2] for row in SAID} == set(STRENGTH)


def test_a_verdict_with_a_rewritten_input_can_be_hashed() -> None:
    assert hash(rewrite("s", "r", {"command": "ls"})) == hash(rewrite("s", "r", {"command": "ls"}))


@given(OUTCOMES, OUTCOMES)
def test_merging_is_commutative(one: Outcome, other: Outcome) -> None:
    assert merge(one, other) == merge(other, one)


@given(OUTCOMES, OUTCOMES, OUTCOMES)
def test_merging_is_associative(first: Outcome, second: Outcome, third: Outcome) -> None:
    assert merge(merge(first, second), third) == merge(first, merge(second, third)) == merge(first, second, third)


@given(OUTCOMES)
def test_merging_is_idempotent_and_quiet_adds_nothing(one: Outcome) -> None:
    assert merge(one, one) == merge(one) == merge(one, QUIET) == merge(QUIET, one) == one


@given(st.lists(OUTCOMES, max_size=4))
def test_a_refusal_in_any_input_survives_as_the_decision(outcomes: list[Outcome]) -> None:
    refusals = {said for one in outcomes for said in one.statements if said.decision in REFUSALS}
    merged = merge(*outcomes)
    assert (merged.decision in REFUSALS) == bool(refusals)
    if refusals:
        assert set(merged.deciding()) == refusals, "each refusal gives its reason, and nothing else does"


@given(st.lists(OUTCOMES, max_size=4))
def test_the_merged_decision_is_as_strict_as_the_strictest_input(outcomes: list[Outcome]) -> None:
    strictest = max((STRENGTH[one.decision] for one in outcomes), default=0)
    assert STRENGTH[merge(*outcomes).decision] == strictest


@given(st.lists(OUTCOMES, max_size=4))
def test_notes_never_get_lost(outcomes: list[Outcome]) -> None:
    notes = {said for one in outcomes for said in one.statements if said.decision == NOTE}
    merged = merge(*outcomes)
    assert {*merged.notes(AGENT), *merged.notes(PERSON)} == notes
    assert all(said.audience == AGENT for said in merged.notes(AGENT))
    assert all(said.audience == PERSON for said in merged.notes(PERSON))


@given(st.lists(STATEMENTS, max_size=8), st.randoms(use_true_random=False))
def test_an_outcome_does_not_depend_on_the_order_of_what_was_said(statements: list[Statement], random: object) -> None:
    shuffled = list(statements)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert outcome(shuffled) == outcome(statements)
    assert outcome(shuffled + statements) == outcome(statements), "nor on repeats"


@given(st.lists(STATEMENTS, max_size=8))
def test_silence_says_nothing(statements: list[Statement]) -> None:
    said = outcome(statements)
    assert all(one.decision != NOTHING for one in said.statements)
    assert (said == QUIET) == all(one.decision == NOTHING for one in statements)


def test_the_deciding_statements_are_those_of_the_strictest_word() -> None:
    refused, asked, noted = Statement("a", DENY, "no"), Statement("b", ASK, "sure?"), Statement("c", NOTE, "fyi")
    assert outcome([refused, asked, noted]).deciding() == (refused,)
    assert outcome([asked, noted]).deciding() == (asked,)
    assert QUIET.deciding() == ()
