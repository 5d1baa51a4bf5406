"""Judging: rewriters before judges, modes, path filters, crashes, postures and the deadline.

The policies here are real ones, only small: each does what its name in the test says.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.engine import Judgement, Ruling, World, describe, judge, shortened, within_paths
from holdfast.core.event import CommandProposed, EditProposed, Event, FileEdit, Head
from holdfast.core.facts import TALLY, Facts, Request, Unknown, repository_of
from holdfast.core.ledger.tally import Tally
from holdfast.core.policy import CLOSE, JUDGE, OPEN, REWRITER, Config, Policy, concerns_always
from holdfast.core.settings import ENFORCE, MODES, OFF, WARN, PolicySettings, Settings
from holdfast.core.verdict import (
    AGENT,
    ALLOW,
    ASK,
    BLOCK,
    DENY,
    NOTE,
    NOTHING,
    PERSON,
    REFUSALS,
    REWRITE,
    SILENCE,
    Verdict,
    allow,
    ask,
    block,
    deny,
    note,
    rewrite,
)

Decide = Callable[[Any, Facts, Any], Verdict]

SAYS: dict[str, Verdict] = {
    NOTHING: SILENCE,
    NOTE: note("said", "worth knowing"),
    ALLOW: allow("said", "understood"),
    ASK: ask("said", "are you sure", remedy="answer"),
    DENY: deny("said", "not here", remedy="go there"),
    BLOCK: block("said", "not yet", remedy="finish first"),
    REWRITE: rewrite("said", "safer", {"command": "rewritten"}),
}


class Clock:
    """A clock that goes forward only when it is told to."""

    def __init__(self) -> None:
        self.at = 0.0

    def __call__(self) -> float:
        return self.at


def command(text: str = "make") -> CommandProposed:
    return CommandProposed(Head(name="PreToolUse", tool="Bash"), text)


def edit(*paths: str) -> EditProposed:
    return EditProposed(Head(name="PreToolUse", tool="Edit"), tuple(FileEdit(path) for path in paths))


def saying(id: str, verdict: Verdict, **options: Any) -> Policy:
    """A policy that always says the same."""
    return Policy(id, lambda _event, _facts, _config: verdict, concerns_always, **options)


def crashing(id: str, error: Exception, **options: Any) -> Policy:
    """A policy whose decision fails."""

    def decide(_event: Event, _facts: Facts, _config: Config) -> Verdict:
        raise error

    return Policy(id, decide, concerns_always, **options)


def replacing(id: str, old: str, new: str) -> Policy:
    """A rewriter that replaces a word of the command."""

    def decide(event: CommandProposed, _facts: Facts, _config: Config) -> Verdict:
        if old not in event.command:
            return SILENCE
        return rewrite(id, f"{old} became {new}", {"command": event.command.replace(old, new)})

    return Policy(id, decide, concerns_always, stage=REWRITER)


def refusing_word(id: str, word: str) -> Policy:
    """A judge that denies commands with a word in them."""

    def decide(event: CommandProposed, _facts: Facts, _config: Config) -> Verdict:
        return deny(id, f"{word} is in {event.command!r}", remedy="leave it out") if word in event.command else SILENCE

    return Policy(id, decide, concerns_always)


def recording(id: str, seen: list[Event], **options: Any) -> Policy:
    """A judge that keeps the events that it is shown."""

    def decide(event: Event, _facts: Facts, _config: Config) -> Verdict:
        seen.append(event)
        return SILENCE

    return Policy(id, decide, concerns_always, **options)


def all_in(mode: str, *policies: Policy, paths: tuple[str, ...] = ()) -> Settings:
    return Settings(policies={policy.id: PolicySettings(mode, paths) for policy in policies})


def reread(event: Event, tool_input: dict[str, Any]) -> Event:
    return event.replace(command=tool_input["command"])


def world(
    known: dict[Request, object] | None = None, *, clock: Clock | None = None, deadline: float = 60.0, project: str = ""
) -> World:
    return World((known or {}).__getitem__, clock or Clock(), deadline, project)


STILL = world()
"""Nothing is known and no time passes."""


def judged(event: Event, *policies: Policy, mode: str = ENFORCE, world: World = STILL) -> Judgement:
    return judge(event, policies, all_in(mode, *policies), world, reread)


def ruling_of(judgement: Judgement, id: str) -> Ruling:
    (found,) = [ruling for ruling in judgement.rulings if ruling.policy == id]
    return found


# --- rewriters ---


def test_rewriters_run_in_sequence_each_on_the_result_of_the_one_before() -> None:
    first, second, third = replacing("first", "a", "b"), replacing("second", "b", "c"), replacing("third", "c", "d")
    judgement = judged(command("a"), first, second, third)
    assert judgement.rewritten == {"command": "d"}
    assert judgement.event == command("d")
    assert [ruling.policy for ruling in judgement.rulings] == ["first", "second", "third"]


def test_rewriters_run_before_judges_wherever_they_stand_and_judges_see_the_rewritten_event() -> None:
    seen: list[Event] = []
    judgement = judged(command("rm x"), recording("watch", seen), replacing("trash", "rm", "trash"))
    assert seen == [command("trash x")]
    assert [ruling.policy for ruling in judgement.rulings] == ["trash", "watch"]
    assert judgement.outcome.decision == REWRITE


def test_a_rewriter_that_is_silent_changes_nothing() -> None:
    judgement = judged(command("ls"), replacing("trash", "rm", "trash"))
    assert judgement.rewritten is None
    assert judgement.event == command("ls")
    assert judgement.outcome.decision == NOTHING


REFUSERS: list[tuple[str, Policy]] = [
    ("a judge denies the rewritten command", refusing_word("no-trash", "trash")),
    ("a judge denies anything", saying("no", SAYS[DENY])),
    ("a judge blocks", saying("no", SAYS[BLOCK])),
    ("a gate fails", crashing("no", ValueError("broken"), posture=CLOSE)),
    ("another rewriter denies", saying("no", SAYS[DENY], stage=REWRITER)),
]


@pytest.mark.parametrize("refuser", [pytest.param(row[1], id=row[0]) for row in REFUSERS])
def test_a_rewrite_is_dropped_if_anything_refuses(refuser: Policy) -> None:
    rewriter = replacing("trash", "rm", "trash")
    for policies in ((rewriter, refuser), (refuser, rewriter)):
        judgement = judged(command("rm x"), *policies)
        assert judgement.rewritten is None
        assert judgement.outcome.decision in REFUSALS


KEPT = [(NOTHING, REWRITE), (NOTE, REWRITE), (ALLOW, ALLOW), (ASK, ASK)]


@pytest.mark.parametrize(("said", "decision"), KEPT)
def test_a_rewrite_goes_along_with_whatever_is_no_refusal(said: str, decision: str) -> None:
    judgement = judged(command("rm x"), replacing("trash", "rm", "trash"), saying("other", SAYS[said]))
    assert judgement.outcome.decision == decision
    assert judgement.rewritten == {"command": "trash x"}


def test_a_judge_that_denies_the_original_passes_what_a_rewriter_repaired() -> None:
    judgement = judged(command("rm x"), refusing_word("no-rm", "rm"), replacing("trash", "rm", "trash"))
    assert judgement.outcome.decision == REWRITE
    assert judgement.rewritten == {"command": "trash x"}


def test_without_a_way_to_read_the_new_input_nothing_is_rewritten() -> None:
    policy = replacing("trash", "rm", "trash")
    judgement = judge(command("rm x"), (policy,), all_in(ENFORCE, policy), world())
    assert judgement.rewritten is None
    assert judgement.event == command("rm x")


def test_a_failing_rewriter_leaves_the_input_and_the_others_go_on() -> None:
    judgement = judged(
        command("rm x"), crashing("broken", KeyError("k"), stage=REWRITER), replacing("trash", "rm", "trash")
    )
    assert judgement.rewritten == {"command": "trash x"}
    assert ruling_of(judgement, "broken").error == "KeyError: 'k'"


# --- modes ---

ENFORCED = [(decision, decision) for decision in SAYS]
WARNED = [
    (NOTHING, NOTHING, ""),
    (NOTE, NOTE, "worth knowing"),
    (ALLOW, NOTE, "Would have allowed it (rule is in warn mode): understood"),
    (ASK, NOTE, "Would have asked (rule is in warn mode): are you sure"),
    (DENY, NOTE, "Would have denied this (rule is in warn mode): not here"),
    (BLOCK, NOTE, "Would have blocked the stop (rule is in warn mode): not yet"),
    (REWRITE, NOTE, "Would have rewritten it (rule is in warn mode): safer"),
]


@pytest.mark.parametrize(("decision", "effective"), ENFORCED)
def test_in_enforce_mode_a_decision_counts_as_it_was_said(decision: str, effective: str) -> None:
    judgement = judged(command(), saying("rule", SAYS[decision]))
    assert judgement.outcome.decision == effective
    ruling = ruling_of(judgement, "rule")
    assert (ruling.mode, ruling.verdict, ruling.effective, ruling.error) == (ENFORCE, SAYS[decision], effective, "")


@pytest.mark.parametrize(("decision", "effective", "reason"), WARNED)
def test_in_warn_mode_a_decision_becomes_a_note_of_what_would_have_been(decision: str, effective: str, reason: str) -> None:
    judgement = judged(command(), saying("rule", SAYS[decision]), mode=WARN)
    assert judgement.outcome.decision == effective
    ruling = ruling_of(judgement, "rule")
    assert (ruling.mode, ruling.verdict, ruling.effective) == (WARN, SAYS[decision], effective)
    for statement in judgement.outcome.statements:
        assert statement.reason == reason
        assert (statement.remedy, statement.slug) == (SAYS[decision].remedy, SAYS[decision].slug)


def test_every_decision_has_a_row_in_both_modes() -> None:
    assert {row[0] for row in WARNED} == {row[0] for row in ENFORCED} == set(SAYS)


def test_in_warn_mode_a_rewriter_rewrites_nothing_and_judges_see_the_original() -> None:
    seen: list[Event] = []
    judgement = judged(command("rm x"), replacing("trash", "rm", "trash"), recording("watch", seen), mode=WARN)
    assert judgement.rewritten is None
    assert seen == [command("rm x")]


@pytest.mark.parametrize("decision", list(SAYS))
@pytest.mark.parametrize("stage", [JUDGE, REWRITER])
def test_in_off_mode_a_policy_is_not_heard_and_leaves_no_ruling(decision: str, stage: str) -> None:
    seen: list[Event] = []
    policies = (saying("rule", SAYS[decision], stage=stage), recording("watch", seen, stage=stage))
    judgement = judged(command(), *policies, mode=OFF)
    assert judgement == Judgement(command())
    assert seen == []


def test_a_policy_that_the_settings_do_not_name_is_off() -> None:
    judgement = judge(command(), (saying("rule", SAYS[DENY]),), Settings(), world())
    assert judgement == Judgement(command())


def test_every_mode_is_covered() -> None:
    assert {ENFORCE, WARN, OFF} == set(MODES)


# --- path filters ---

FILTERS: list[tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...] | None]] = [
    ("no filter lets all through", (), ("/p/a.py", "/p/b.md"), ("/p/a.py", "/p/b.md")),
    ("a folder", ("src/**",), ("/p/src/a.py", "/p/lib/b.py"), ("/p/src/a.py",)),
    ("nothing is left", ("src/**",), ("/p/lib/b.py",), None),
    ("an exception", ("src/**", "!src/gen/**"), ("/p/src/a.py", "/p/src/gen/b.py"), ("/p/src/a.py",)),
    ("only an exception", ("!*.md",), ("/p/a.py", "/p/b.md"), ("/p/a.py",)),
    ("relative paths", ("src/**",), ("src/a.py", "lib/b.py"), ("src/a.py",)),
    ("a file outside the project is known by its whole path", ("src/**",), ("/q/src/a.py",), None),
    ("a name at any depth", ("*.py",), ("/p/x/y/a.py", "/q/b.py"), ("/p/x/y/a.py", "/q/b.py")),
    ("an edit without files is not filtered", ("src/**",), (), ()),
]


@pytest.mark.parametrize(("paths", "files", "kept"), [pytest.param(*row[1:], id=row[0]) for row in FILTERS])
def test_a_policy_sees_only_the_files_that_its_filter_lets_through(
    paths: tuple[str, ...], files: tuple[str, ...], kept: tuple[str, ...] | None
) -> None:
    seen: list[Event] = []
    policy = recording("watch", seen)
    judgement = judge(edit(*files), (policy,), all_in(ENFORCE, policy, paths=paths), world(project="/p"))
    assert seen == ([] if kept is None else [edit(*kept)])
    assert ruling_of(judgement, "watch").concerned == (kept is not None)
    assert judgement.event == edit(*files), "the event itself keeps all its files"


def test_a_filter_does_not_touch_events_without_files() -> None:
    assert within_paths(command(), ("src/**",), "/p") == command()


# --- facts and settings of a policy ---


def wanting(*requests: Request, decide: Decide, **options: Any) -> Policy:
    return Policy("wants", decide, lambda _event, _config: requests, **options)


def test_a_policy_gets_the_facts_that_it_declared_and_the_ruling_names_them() -> None:
    policy = wanting(TALLY, decide=lambda _event, facts, _config: note("n", f"{facts.tally().edits} edits"))
    judgement = judged(command(), policy, world=world({TALLY: Tally(edits=3)}))
    assert [one.reason for one in judgement.outcome.statements] == ["3 edits"]
    ((kind, shown),) = ruling_of(judgement, "wants").facts
    assert kind == "tally"
    assert "edits=3" in shown


def test_a_policy_that_is_not_concerned_is_not_asked_and_says_nothing() -> None:
    called: list[str] = []

    def decide(_event: Event, _facts: Facts, _config: Config) -> Verdict:
        called.append("decide")
        return SAYS[DENY]

    judgement = judged(command(), Policy("rule", decide, lambda _event, _config: None, posture=CLOSE))
    assert called == []
    assert judgement.outcome.decision == NOTHING
    assert not ruling_of(judgement, "rule").concerned


@pytest.mark.parametrize(("posture", "effective"), [(CLOSE, DENY), (OPEN, NOTE)])
def test_an_unknown_fact_calls_for_the_posture_without_asking_the_policy(posture: str, effective: str) -> None:
    called: list[str] = []

    def decide(_event: Event, _facts: Facts, _config: Config) -> Verdict:
        called.append("decide")
        return SILENCE

    policy = wanting(TALLY, decide=decide, posture=posture)
    judgement = judged(command(), policy, world=world({TALLY: Unknown("the disk is full")}))
    assert called == []
    ruling = ruling_of(judgement, "wants")
    assert (ruling.effective, ruling.verdict) == (effective, SILENCE)
    assert "tally is not known: the disk is full" in ruling.error
    assert judgement.outcome.decision == effective


def test_a_fact_that_was_not_declared_fails_the_policy_even_if_another_declared_it() -> None:
    declares = wanting(TALLY, decide=lambda _event, facts, _config: note("n", str(facts.tally())))
    takes = Policy("takes", lambda _event, facts, _config: note("n", str(facts.tally())), concerns_always, posture=CLOSE)
    judgement = judged(command(), declares, takes, world=world({TALLY: Tally()}))
    ruling = ruling_of(judgement, "takes")
    assert "'tally' was not declared" in ruling.error
    assert ruling.effective == DENY
    assert ruling_of(judgement, "wants").error == ""


def test_a_fact_about_another_path_was_not_declared_either() -> None:
    policy = wanting(TALLY, decide=lambda _event, facts, _config: note("n", facts.repository("/p").branch))
    judgement = judged(command(), policy, world=world({TALLY: Tally(), repository_of("/p"): Unknown("-")}))
    assert "'repository' was not declared" in ruling_of(judgement, "wants").error


def test_a_fact_that_cannot_be_fetched_fails_only_the_policy_that_wants_it() -> None:
    policy = wanting(TALLY, decide=lambda _event, _facts, _config: SILENCE, posture=CLOSE)
    judgement = judged(command(), policy, saying("other", SAYS[NOTE]), world=world({}))
    assert "KeyError" in ruling_of(judgement, "wants").error
    assert ruling_of(judgement, "other").effective == NOTE


class Limits(Config):
    most: int = 3


def test_a_policy_gets_its_own_settings() -> None:
    policy = Policy("rule", lambda _event, _facts, config: note("n", f"most {config.most}"), concerns_always, Limits())
    for own, said in (({}, "most 3"), ({"most": 5}, "most 5")):
        settings = Settings(policies={"rule": PolicySettings(ENFORCE, own=own)})
        judgement = judge(command(), (policy,), settings, world())
        assert [one.reason for one in judgement.outcome.statements] == [said]


def test_a_setting_that_the_policy_does_not_have_fails_it() -> None:
    policy = Policy("rule", lambda _event, _facts, _config: SILENCE, concerns_always, Limits(), posture=CLOSE)
    settings = Settings(policies={"rule": PolicySettings(ENFORCE, own={"least": 5})})
    ruling = ruling_of(judge(command(), (policy,), settings, world()), "rule")
    assert "least" in ruling.error
    assert ruling.effective == DENY


# --- failures ---


class Unprintable(Exception):
    """An exception that cannot even be shown."""

    def __str__(self) -> str:
        raise RuntimeError("no words")


def _recurses(depth: int) -> int:
    return _recurses(depth + 1)


NO_SETTINGS: dict[str, object] = {}

FAILURES: list[tuple[str, Callable[..., Any], str]] = [
    ("an error", lambda *_given: NO_SETTINGS["missing"], "KeyError: 'missing'"),
    ("an assertion", lambda *_given: (_ for _ in ()).throw(AssertionError()), "AssertionError"),
    ("endless recursion", lambda *_given: _recurses(0), "RecursionError"),
    ("an error that cannot be printed", lambda *_given: (_ for _ in ()).throw(Unprintable()), "Unprintable"),
    ("an answer that is no verdict", lambda *_given: "deny", ""),
    ("no answer at all", lambda *_given: None, ""),
    ("a decision that does not exist", lambda *_given: Verdict("refuse", "no"), ""),
]


@pytest.mark.parametrize("mode", [ENFORCE, WARN])
@pytest.mark.parametrize(("decide", "error"), [pytest.param(*row[1:], id=row[0]) for row in FAILURES])
def test_a_failure_is_recorded_with_the_policy_and_the_others_still_rule(decide: Decide, error: str, mode: str) -> None:
    broken = Policy("broken", decide, concerns_always, posture=CLOSE)
    settings = Settings(policies={"broken": PolicySettings(mode), "other": PolicySettings(ENFORCE)})
    for policies in ((broken, saying("other", SAYS[DENY])), (saying("other", SAYS[DENY]), broken)):
        judgement = judge(command(), policies, settings, world())
        ruling = ruling_of(judgement, "broken")
        assert ruling.error
        assert error in ruling.error
        assert ruling_of(judgement, "other").effective == DENY
        assert "not here" in [one.reason for one in judgement.outcome.deciding()]


def test_a_failure_in_needs_counts_like_one_in_decide() -> None:
    def needs(_event: Event, _config: Config) -> tuple[Request, ...]:
        raise ValueError("no idea")

    judgement = judged(command(), Policy("broken", lambda *_given: SILENCE, needs, posture=CLOSE))
    assert ruling_of(judgement, "broken").error == "ValueError: no idea"
    assert judgement.outcome.decision == DENY


def test_a_gate_that_fails_closes_and_says_how_to_go_on() -> None:
    judgement = judged(command(), crashing("gate", ValueError("broken"), posture=CLOSE))
    (said,) = judgement.outcome.statements
    assert (said.policy, said.decision, said.slug) == ("gate", DENY, "policy-failed")
    for part in ("gate", "ValueError: broken"):
        assert part in said.reason
    for part in ("holdfast explain last", "[policy.gate]", 'mode = "off"'):
        assert part in said.remedy


def test_any_other_policy_that_fails_opens_with_a_note_to_the_person() -> None:
    judgement = judged(command(), crashing("brief", ValueError("broken"), posture=OPEN))
    (said,) = judgement.outcome.statements
    assert (said.decision, said.audience, said.slug) == (NOTE, PERSON, "policy-failed")
    assert "ValueError: broken" in said.reason
    assert ruling_of(judgement, "brief").effective == NOTE


def test_in_warn_mode_a_gate_that_fails_denies_nothing() -> None:
    judgement = judged(command(), crashing("gate", ValueError("broken"), posture=CLOSE), mode=WARN)
    (said,) = judgement.outcome.statements
    assert (said.decision, said.slug) == (NOTE, "policy-failed")


def test_in_warn_mode_the_ruling_on_a_gate_that_fails_says_what_really_became_of_it() -> None:
    judgement = judged(command(), crashing("gate", ValueError("broken"), posture=CLOSE), mode=WARN)
    assert ruling_of(judgement, "gate").effective == NOTE


def test_a_long_error_is_recorded_in_one_short_line() -> None:
    judgement = judged(command(), crashing("broken", ValueError("a\nb " * 1000)))
    error = ruling_of(judgement, "broken").error
    assert len(error) <= 300
    assert "\n" not in error


DESCRIBED: list[tuple[BaseException, str]] = [
    (ValueError("x"), "ValueError: x"),
    (ValueError(), "ValueError"),
    (KeyError("k"), "KeyError: 'k'"),
    (OSError(2, "No such file"), "FileNotFoundError: [Errno 2] No such file"),
]


@pytest.mark.parametrize(("failure", "text"), DESCRIBED, ids=[row[1] for row in DESCRIBED])
def test_an_exception_is_described(failure: BaseException, text: str) -> None:
    assert describe(failure) == text


@given(st.text(max_size=200), st.integers(min_value=1, max_value=50))
def test_shortened_text_is_one_line_within_its_bound(text: str, most: int) -> None:
    line = shortened(text, most)
    assert len(line) <= most
    assert len(line.splitlines()) <= 1


# --- the deadline ---


def slow(id: str, clock: Clock, seconds: float, **options: Any) -> Policy:
    """A policy that takes so long."""

    def decide(_event: Event, _facts: Facts, _config: Config) -> Verdict:
        clock.at += seconds
        return note("slow", f"{id} was heard")

    return Policy(id, decide, concerns_always, **options)


def test_after_the_deadline_the_remaining_policies_are_taken_by_their_posture() -> None:
    clock = Clock()
    policies = (
        slow("first", clock, 5.0),
        slow("second", clock, 5.0),
        slow("gate", clock, 5.0, posture=CLOSE),
        slow("brief", clock, 5.0, posture=OPEN),
    )
    judgement = judged(command(), *policies, world=world(clock=clock, deadline=8.0))
    assert [(one.policy, one.effective, bool(one.error)) for one in judgement.rulings] == [
        ("first", NOTE, False),
        ("second", NOTE, False),
        ("gate", DENY, True),
        ("brief", NOTE, True),
    ]
    assert "deadline" in ruling_of(judgement, "gate").error
    assert judgement.outcome.decision == DENY
    assert clock.at == 10.0, "whoever comes after the deadline is not heard"


def test_after_the_deadline_a_gate_in_warn_mode_denies_nothing() -> None:
    clock = Clock()
    judgement = judged(
        command(), slow("gate", clock, 5.0, posture=CLOSE), mode=WARN, world=world(clock=clock, deadline=0.0)
    )
    assert judgement.outcome.decision == NOTE


def test_a_ruling_says_how_long_it_took() -> None:
    clock = Clock()
    judgement = judged(command(), slow("first", clock, 2.5), slow("second", clock, 1.5), world=world(clock=clock))
    assert [ruling.seconds for ruling in judgement.rulings] == [2.5, 1.5]


# --- order ---

JUDGES: st.SearchStrategy[Policy] = st.builds(
    lambda number, decision, fails, posture: (
        crashing(f"p{number}", ValueError("broken"), posture=posture)
        if fails
        else saying(f"p{number}", SAYS[decision], posture=posture)
    ),
    number=st.integers(min_value=0, max_value=50),
    decision=st.sampled_from(sorted(SAYS)),
    fails=st.booleans(),
    posture=st.sampled_from([OPEN, CLOSE]),
)


@given(
    st.lists(JUDGES, max_size=6, unique_by=lambda policy: policy.id).flatmap(
        lambda policies: st.tuples(st.just(policies), st.permutations(policies))
    ),
    st.lists(st.sampled_from(MODES), min_size=6, max_size=6),
)
def test_the_outcome_does_not_depend_on_the_order_of_judges(
    orders: tuple[list[Policy], list[Policy]], modes: list[str]
) -> None:
    first, second = orders
    settings = Settings(
        policies={policy.id: PolicySettings(mode) for policy, mode in zip(first, modes, strict=False)}
    )
    one = judge(command(), tuple(first), settings, world(), reread)
    other = judge(command(), tuple(second), settings, world(), reread)
    assert one.outcome == other.outcome
    assert one.rewritten == other.rewritten
    assert {ruling.policy: ruling for ruling in one.rulings} == {ruling.policy: ruling for ruling in other.rulings}


@given(st.lists(JUDGES, max_size=6, unique_by=lambda policy: policy.id))
def test_an_enforced_refusal_or_failed_gate_always_refuses(policies: list[Policy]) -> None:
    judgement = judged(command(), *policies)
    refusing = [ruling for ruling in judgement.rulings if ruling.effective in REFUSALS]
    assert (judgement.outcome.decision in REFUSALS) == bool(refusing)
    assert len(judgement.rulings) == len(policies), "every policy leaves a ruling"


def test_a_note_is_for_whom_the_policy_says() -> None:
    judgement = judged(command(), saying("a", note("s", "to the agent")), saying("p", note("s", "hi", audience=PERSON)))
    assert [one.policy for one in judgement.outcome.notes(AGENT)] == ["a"]
    assert [one.policy for one in judgement.outcome.notes(PERSON)] == ["p"]
