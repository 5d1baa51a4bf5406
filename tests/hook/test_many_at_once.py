"""Hooks that run at the same time, that deliver the same event twice, and that are killed half-way."""

from __future__ import annotations

import json
import random
import time

import pytest

from tests.support.hook_process import DEADLINE, Project, give_input, require_deny
from tests.support.ledger import ledger_of
from tests.support.payloads import command_proposed, prompt_given, session_start, stop, write_made, write_proposed


@pytest.mark.parametrize("store", ["new", "old"])
def test_of_thirty_two_hooks_at_once_every_event_is_answered_recorded_and_counted(project: Project, store: str) -> None:
    if store == "old":
        project.hook("PreToolUse", command_proposed(project))
    paths = [f"src/file{number}.py" for number in range(32)]
    answers = project.hooks_at_once(("PostToolUse", write_made(project, path), "") for path in paths)
    assert [answer.silent for answer in answers] == [True] * 32
    assert max(answer.seconds for answer in answers) < DEADLINE
    project.hook("Stop", stop(project))
    ledger = ledger_of(project)
    assert ledger.column("SELECT count(*) FROM event WHERE kind = 'EditMade'") == [32]
    tally = json.loads(ledger.column("SELECT tally FROM session")[0])
    assert tally["edits"] == 32
    assert sorted(tally["files"]) == sorted(f"{project.folder}/{path}" for path in paths)
    assert ledger.is_sound()


def test_thirty_two_refusals_at_once_are_all_given(project: Project) -> None:
    payloads = [write_proposed(project, f"src/file{number}.py") for number in range(32)]
    for number, answer in enumerate(project.hooks_at_once(("PreToolUse", payload, "") for payload in payloads)):
        require_deny(answer, f"src/file{number}.py", "branch main")


def both_ways(payload: dict[str, object]) -> list[tuple[str, dict[str, object], str]]:
    name = str(payload["hook_event_name"])
    return [(name, payload, "settings"), (name, payload, "plugin")]


def test_an_edit_delivered_twice_at_once_is_one_event_that_both_deliveries_deny(project: Project) -> None:
    for answer in project.hooks_at_once(both_ways(write_proposed(project))):
        require_deny(answer, "src/app.py", "branch main")
    ledger = ledger_of(project)
    assert ledger.count() == 1
    assert ledger.column("SELECT origin FROM delivery ORDER BY origin") == ["plugin", "settings"]
    assert json.loads(ledger.column("SELECT tally FROM session")[0])["refusals"] == 1


def test_a_note_to_the_agent_is_given_once_though_its_event_is_delivered_twice(project: Project) -> None:
    answers = project.hooks_at_once(both_ways(session_start(project)))
    assert sorted(bool(answer.context) for answer in answers) == [False, True]
    assert ledger_of(project).count("delivery") == 2


def test_a_note_to_the_person_is_given_once_though_its_event_is_delivered_twice(project: Project) -> None:
    project.hook("PreToolUse", write_proposed(project))
    answers = project.hooks_at_once(both_ways(stop(project)))
    assert sorted("1 refusal" in answer.message for answer in answers) == [False, True]


def test_a_trouble_is_told_once_though_its_event_is_delivered_twice(project: Project) -> None:
    (project.folder / "holdfast.toml").write_text('profile = "strict"\nprofle = "strict"\n')
    answers = project.hooks_at_once(both_ways(write_proposed(project)))
    assert [answer.decision for answer in answers] == ["deny", "deny"]
    assert sorted("profle" in answer.message for answer in answers) == [False, True]


def test_two_equal_stops_one_after_the_other_are_two_events_each_delivered_twice(project: Project) -> None:
    for _ in range(2):
        project.hooks_at_once(both_ways(stop(project)))
    ledger = ledger_of(project)
    assert ledger.count() == 2
    assert ledger.count("delivery") == 4
    assert json.loads(ledger.column("SELECT tally FROM session")[0])["stops"] == 2


def test_the_same_prompt_given_twice_is_two_events(project: Project) -> None:
    for _ in range(2):
        project.hook("UserPromptSubmit", prompt_given(project))
    assert json.loads(ledger_of(project).column("SELECT tally FROM session")[0])["prompts"] == 2


def test_the_same_call_in_two_sessions_is_two_events(project: Project) -> None:
    for one in (project, project.with_session("session-2")):
        one.hook("PreToolUse", write_proposed(one, tool_use_id="same"))
    assert ledger_of(project).count() == 2


class Killer:
    """Kills hooks at moments around the one at which they answer, which it finds by trying."""

    def __init__(self, project: Project, seed: int) -> None:
        self.project = project
        self.random = random.Random(seed)
        self.longest = 0.03

    def answered_before_the_kill(self, tool_use: str) -> bool:
        process = self.project.start("PreToolUse")
        give_input(process, write_proposed(self.project, tool_use_id=tool_use))
        time.sleep(self.random.uniform(0, self.longest))
        process.kill()
        answer, _ = process.communicate()
        answered = answer.endswith(b"}\n")
        self.longest *= 0.8 if answered else 1.25
        return answered


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_hook_killed_at_any_moment_loses_nothing_that_it_had_answered(project: Project, seed: int) -> None:
    # no store yet: the first kills fall into its making
    killer = Killer(project, seed)
    calls = [f"call-{number}" for number in range(20)]
    answered = [call for call in calls if killer.answered_before_the_kill(call)]
    assert 0 < len(answered) < len(calls), "the kills fell all before or all after the answer"
    require_deny(project.hook("PreToolUse", write_proposed(project, tool_use_id="last")), "src/app.py", "branch main")
    ledger = ledger_of(project)
    assert ledger.is_sound()
    assert {*answered, "last"} <= set(ledger.tool_uses())
    assert ledger.moved_aside() == []
    tally = json.loads(ledger.column("SELECT tally FROM session")[0])
    assert tally["refusals"] == ledger.count(), "events and state were not written together"
