"""The hook's own deadline: it answers long before the host's time-out, at which the host would let the action through."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest

from tests.support.fixtures import make_project
from tests.support.hook_process import DEADLINE, Answer, Project, finish, give_input, require_deny, require_legal
from tests.support.ledger import Ledger, ledger_of
from tests.support.packages import copy_package, plant_in_policy
from tests.support.payloads import write_proposed

SLACK = 2.0
"""Seconds that a loaded machine may take on top."""


class LateAnswers:
    """Hooks that can only end by their deadline, all waited for at the same time."""

    def __init__(self, base: Path) -> None:
        began = time.monotonic()
        self.project = make_project(base)
        silent_host = {event: self.project.start(event) for event in ("PreToolUse", "Stop", "SessionEnd")}
        unfinished = self.project.start("PreToolUse")
        assert unfinished.stdin is not None
        unfinished.stdin.write(b'{"hook_event_name": "PreToolUse", "tool_name": "Write"')
        unfinished.stdin.flush()
        self.hanging_ledger, hanging = self._start_hanging_policy(base / "hanging")
        # the shortest deadline first, so that each answer's time is its own
        self.to_session_end = _answer(silent_host["SessionEnd"], began)
        self.to_edit = _answer(silent_host["PreToolUse"], began)
        self.to_stop = _answer(silent_host["Stop"], began)
        self.to_unfinished = _answer(unfinished, began)
        self.to_hanging_policy = finish(hanging, None, began)

    def _start_hanging_policy(self, base: Path) -> tuple[Ledger, subprocess.Popen[bytes]]:
        package = copy_package(base / "package")
        plant_in_policy(package, "edit_on_main", "decide", "while True: pass")
        project = make_project(base).with_package(package)
        process = project.start("PreToolUse")
        give_input(process, write_proposed(project, tool_use_id="hung"))
        return ledger_of(project), process


def _answer(process: subprocess.Popen[bytes], began: float) -> Answer:
    """Wait for a hook whose input stays open."""
    status = process.wait(timeout=4 * DEADLINE)
    seconds = time.monotonic() - began
    assert process.stdout is not None
    assert process.stderr is not None
    return require_legal(Answer(status, process.stdout.read(), process.stderr.read(), seconds))


@pytest.fixture(scope="module")
def late(tmp_path_factory: pytest.TempPathFactory) -> LateAnswers:
    return LateAnswers(tmp_path_factory.mktemp("late"))


pytestmark = pytest.mark.xdist_group("deadline")


def test_a_gate_denies_when_the_input_never_ends(late: LateAnswers) -> None:
    require_deny(late.to_edit, "time limit", "edit-on-main", "holdfast doctor")
    assert late.to_edit.seconds < DEADLINE + SLACK


def test_a_gate_denies_when_the_input_stops_half_way_and_stays_open(late: LateAnswers) -> None:
    require_deny(late.to_unfinished, "time limit", "edit-on-main")
    assert late.to_unfinished.seconds < DEADLINE + SLACK


def test_the_person_is_told_when_the_input_of_a_stop_never_ends(late: LateAnswers) -> None:
    assert "time limit" in late.to_stop.message
    assert late.to_stop.seconds < DEADLINE + SLACK


def test_the_end_of_a_session_has_the_shorter_time_that_the_host_gives_it(late: LateAnswers) -> None:
    assert late.to_session_end.silent
    assert late.to_session_end.seconds < 1.0 + SLACK


def test_a_policy_that_hangs_is_ended_by_the_deadline_and_its_gate_denies(late: LateAnswers) -> None:
    require_deny(late.to_hanging_policy, "policy edit-on-main failed", "time limit", "[policy.edit-on-main]")
    assert late.to_hanging_policy.seconds < DEADLINE + SLACK


def test_an_event_on_which_a_policy_hung_is_recorded_with_the_reason(late: LateAnswers) -> None:
    assert late.hanging_ledger.tool_uses() == ["hung"]
    (error,) = late.hanging_ledger.column("SELECT error FROM ruling WHERE policy = 'edit-on-main'")
    assert "time limit" in error


def test_silence_of_the_host_leaves_no_record_behind(late: LateAnswers) -> None:
    ledger = ledger_of(late.project)
    assert not ledger.file.exists() or ledger.column("SELECT count(*) FROM event WHERE session = 'session-1'") == [0]


def test_the_next_call_after_a_late_one_is_judged_as_ever(late: LateAnswers) -> None:
    project: Project = late.project.with_session("session-2")
    require_deny(project.hook("PreToolUse", write_proposed(project)), "src/app.py", "branch main")
