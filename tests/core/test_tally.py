"""The tally: what a session did, folded from its events."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.event import (
    CommandProposed,
    CommandRan,
    EditMade,
    EditProposed,
    Event,
    FileEdit,
    Head,
    OtherEvent,
    PromptGiven,
    SessionStarted,
    StopRequested,
    kind,
)
from holdfast.core.jsontext import encode, parse
from holdfast.core.ledger.tally import FOLDED, MOST_FILES, Tally, fold, from_json, to_json
from holdfast.core.verdict import ALLOW, ASK, BLOCK, DENY, NOTE, NOTHING, REFUSALS, STRENGTH

from .strategies import JSON_VALUES

HEAD = Head(session="s")


def made(*paths: str) -> EditMade:
    return EditMade(HEAD, tuple(FileEdit(path) for path in paths))


def ran(code: int | None = 0) -> CommandRan:
    return CommandRan(HEAD, "make", exit_code=code)


STOP = StopRequested(HEAD)

FOLDS: list[tuple[str, list[tuple[Event, str]], Tally]] = [
    ("nothing", [], Tally()),
    ("an edit", [(made("a.py"), NOTHING)], Tally(files=("a.py",), edits=1)),
    ("two edits of one file", [(made("a.py"), NOTHING)] * 2, Tally(files=("a.py",), edits=2)),
    ("one edit of two files", [(made("b.py", "a.py"), NOTHING)], Tally(files=("b.py", "a.py"), edits=1)),
    ("a proposed edit is not an edit", [(EditProposed(HEAD, (FileEdit("a.py"),)), NOTHING)], Tally()),
    ("a refused edit", [(EditProposed(HEAD, (FileEdit("a.py"),)), DENY)], Tally(refusals=1)),
    ("a command", [(ran(0), NOTHING)], Tally(commands=1)),
    ("a failed command", [(ran(1), NOTHING)], Tally(commands=1, failed_commands=1)),
    ("a command without a known status is not a failed one", [(ran(None), NOTHING)], Tally(commands=1)),
    ("a proposed command is not a command", [(CommandProposed(HEAD, "make"), NOTHING)], Tally()),
    ("a typed prompt", [(PromptGiven(HEAD, "hi"), NOTHING)], Tally(prompts=1)),
    ("a prompt by a machine", [(PromptGiven(HEAD, "hi", typed=False), NOTHING)], Tally()),
    ("a stop", [(STOP, NOTHING)], Tally(stops=1)),
    ("a blocked stop", [(STOP, BLOCK)], Tally(stops=1, refusals=1, at_stop=1)),
    ("notes, asks and allows are no refusals", [(OtherEvent(HEAD), word) for word in (NOTE, ASK, ALLOW)], Tally()),
    (
        "a stop after work",
        [(made("a.py"), NOTHING), (ran(), NOTHING), (STOP, NOTHING)],
        Tally(files=("a.py",), edits=1, commands=1, stops=1, at_stop=2),
    ),
    (
        "a second stop remembers the first",
        [(made("a.py"), NOTHING), (STOP, NOTHING), (ran(), NOTHING), (STOP, NOTHING)],
        Tally(files=("a.py",), edits=1, commands=1, stops=2, at_stop=2, at_stop_before=1),
    ),
    (
        "two stops with nothing between them",
        [(made("a.py"), NOTHING), (STOP, NOTHING), (STOP, NOTHING)],
        Tally(files=("a.py",), edits=1, stops=2, at_stop=1, at_stop_before=1),
    ),
]

EVENTS: st.SearchStrategy[tuple[Event, str]] = st.tuples(
    st.one_of(
        st.lists(st.sampled_from(["a", "b", "c"]), max_size=3).map(lambda paths: made(*paths)),
        st.sampled_from([0, 1, None]).map(ran),
        st.booleans().map(lambda typed: PromptGiven(HEAD, "x", typed)),
        st.just(STOP),
        st.just(SessionStarted(HEAD)),
        st.just(OtherEvent(HEAD)),
    ),
    st.sampled_from(sorted(STRENGTH)),
)


def folded(happened: list[tuple[Event, str]], start: Tally | None = None) -> Tally:
    tally = start or Tally()
    for event, decision in happened:
        tally = fold(tally, event, decision)
    return tally


@pytest.mark.parametrize(("happened", "tally"), [pytest.param(*row[1:], id=row[0]) for row in FOLDS])
def test_events_are_folded(happened: list[tuple[Event, str]], tally: Tally) -> None:
    assert folded(happened) == tally


@given(st.lists(EVENTS, max_size=20))
def test_folding_is_deterministic_and_leaves_its_input_alone(happened: list[tuple[Event, str]]) -> None:
    start = Tally(files=("x",), edits=1)
    assert folded(happened, start) == folded(happened, start)
    assert start == Tally(files=("x",), edits=1)


@given(st.lists(EVENTS, max_size=20), st.integers(min_value=0, max_value=20))
def test_folding_can_be_interrupted_and_taken_up_from_json(happened: list[tuple[Event, str]], at: int) -> None:
    kept = from_json(parse(encode(to_json(folded(happened[:at])))))
    assert folded(happened[at:], kept) == folded(happened)


@given(st.lists(EVENTS, max_size=20))
def test_every_refusal_is_counted_and_activity_never_shrinks(happened: list[tuple[Event, str]]) -> None:
    tally, before = Tally(), 0
    for event, decision in happened:
        tally = fold(tally, event, decision)
        assert tally.activity >= before
        before = tally.activity
    assert tally.refusals == sum(decision in REFUSALS for _, decision in happened)


@given(EVENTS)
def test_only_the_events_that_are_listed_as_folded_change_the_tally(happened: tuple[Event, str]) -> None:
    event, _ = happened
    if fold(Tally(), event, NOTHING) != Tally():
        assert kind(event) in FOLDED


def test_beyond_the_bound_files_are_only_counted() -> None:
    tally = folded([(made(*(f"f{number}" for number in range(MOST_FILES + 7))), NOTHING)])
    assert len(tally.files) == MOST_FILES
    assert tally.more_files == 7


WRITTEN: list[tuple[object, Tally]] = [
    (None, Tally()),
    ([], Tally()),
    ("text", Tally()),
    ({}, Tally()),
    ({"edits": 3}, Tally(edits=3)),
    ({"edits": "3"}, Tally()),
    ({"edits": True}, Tally()),
    ({"edits": 2.0}, Tally()),
    ({"edits": None, "stops": 1}, Tally(stops=1)),
    ({"files": ["a", 1, None, "b"]}, Tally(files=("a", "b"))),
    ({"files": "abc"}, Tally()),
    ({"files": {"a": 1}}, Tally()),
    ({"of a later version": 7, "edits": 1}, Tally(edits=1)),
]


@pytest.mark.parametrize(("value", "tally"), WRITTEN, ids=[str(row[0]) for row in WRITTEN])
def test_what_is_missing_or_wrong_in_json_counts_as_nothing(value: object, tally: Tally) -> None:
    assert from_json(value) == tally


@given(JSON_VALUES | st.dictionaries(st.sampled_from(list(Tally.fields())), JSON_VALUES))
def test_any_json_gives_a_tally_that_can_be_folded_on(value: object) -> None:
    tally = fold(from_json(value), made("a.py"), DENY)
    assert isinstance(tally.activity, int)
    assert from_json(parse(encode(to_json(tally)))) == tally
