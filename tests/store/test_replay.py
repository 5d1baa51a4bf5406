"""The state of a session is folded from its recorded events, so that replaying them gives it again."""

from __future__ import annotations

import json

from holdfast.app.path import read_event
from holdfast.core.ledger.tally import Tally, fold, from_json
from tests.support.hook_process import Project
from tests.support.ledger import Ledger, ledger_of
from tests.support.payloads import (
    command_failed,
    command_ran,
    prompt_given,
    recorded,
    session_start,
    stop,
    write_made,
    write_proposed,
)


def replayed(ledger: Ledger, session: str) -> Tally:
    query = "SELECT name, decision, body FROM event JOIN payload ON event = event.id WHERE session = ? ORDER BY event.id"
    tally = Tally()
    for name, decision, body in ledger.rows(query, session):
        tally = fold(tally, read_event(json.loads(body), name), decision)
    return tally


def kept(ledger: Ledger, session: str) -> Tally:
    (text,) = ledger.column("SELECT tally FROM session WHERE id = ?", session)
    return from_json(json.loads(text))


def play(project: Project) -> None:
    """Play a session with every kind of event that counts, some delivered twice."""
    twice = write_made(project, "src/twice.py")
    for payload in (
        session_start(project),
        prompt_given(project),
        recorded("UserPromptSubmit.task_notification", project),
        write_proposed(project),
        write_made(project, "src/app.py"),
        write_made(project, "src/app.py"),
        write_made(project, "src/größe 漢字.py", content="x" * 100_000),
        twice,
        command_ran(project, "make"),
        command_failed(project, "make test", "Exit code 2"),
        command_failed(project, "sleep 100", "interrupted"),
        stop(project),
        write_proposed(project, "docs/guide.md"),
        recorded("SubagentStop", project),
        stop(project),
    ):
        project.hook(payload["hook_event_name"], payload)
    project.hook("PostToolUse", twice, "plugin")


def test_replaying_a_session_gives_its_state(project: Project) -> None:
    play(project)
    ledger = ledger_of(project)
    state = kept(ledger, project.session)
    assert state == replayed(ledger, project.session)
    assert (state.edits, state.commands, state.failed_commands, state.prompts, state.refusals, state.stops) == (4, 3, 1, 1, 1, 2)
    assert len(state.files) == 3


def test_replaying_gives_the_state_of_each_of_two_sessions_that_ran_side_by_side(project: Project) -> None:
    other = project.with_session("session-2")
    for number in range(4):
        for one in (project, other, other):
            one.hook("PostToolUse", write_made(one, f"src/file{number}.py"))
    for session, edits in ((project.session, 4), (other.session, 8)):
        assert kept(ledger_of(project), session) == replayed(ledger_of(project), session)
        assert kept(ledger_of(project), session).edits == edits


def test_replaying_gives_the_state_of_a_session_part_of_which_had_to_wait(project: Project) -> None:
    project.hook("PostToolUse", write_made(project))
    with ledger_of(project).unusable():
        project.hook("PostToolUse", command_ran(project))
        project.hook("Stop", stop(project))
    project.hook("Stop", stop(project))
    state = kept(ledger_of(project), project.session)
    assert state == replayed(ledger_of(project), project.session)
    assert (state.edits, state.commands, state.stops) == (1, 1, 2)


def test_replaying_gives_the_state_of_a_session_whose_hooks_ran_all_at_once(project: Project) -> None:
    payloads = [write_made(project, f"src/file{number}.py") for number in range(12)]
    project.hooks_at_once(("PostToolUse", payload, "") for payload in payloads)
    state = kept(ledger_of(project), project.session)
    assert state == replayed(ledger_of(project), project.session)
    assert state.edits == 12
