"""Records that a store could not take wait in a file beside it: none is lost, none is counted twice, none blocks the rest."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.hook_process import Project, give_input, require_deny
from tests.support.ledger import Ledger, ledger_of
from tests.support.packages import copy_package, plant
from tests.support.payloads import prompt_given, stop, write_made, write_proposed


@pytest.fixture
def ledger(project: Project) -> Ledger:
    """The store of the project, with one event in it."""
    project.hook("PreToolUse", write_proposed(project, tool_use_id="before"))
    return ledger_of(project)


@pytest.fixture
def waiting(project: Project, ledger: Ledger) -> Ledger:
    """The same with three records that wait: an edit, a prompt and a stop."""
    with ledger.unusable():
        project.hook("PostToolUse", write_made(project, tool_use_id="waited"))
        project.hook("UserPromptSubmit", prompt_given(project))
        project.hook("Stop", stop(project))
    assert len(ledger.waiting.read_text().splitlines()) == 3
    return ledger


EXPECTED = ["PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop", "PreToolUse"]


def names(ledger: Ledger) -> list[str]:
    return ledger.column("SELECT name FROM event ORDER BY id")


def tally(ledger: Ledger) -> dict[str, Any]:
    return json.loads(ledger.column("SELECT tally FROM session")[0])


def nothing_waits(ledger: Ledger) -> bool:
    return not ledger.waiting.exists() and not ledger.taken.exists()


def next_hook(project: Project) -> None:
    require_deny(project.hook("PreToolUse", write_proposed(project)), "src/app.py", "branch main")


def test_what_waits_is_taken_in_by_the_next_hook_in_its_order(project: Project, waiting: Ledger) -> None:
    next_hook(project)
    assert names(waiting) == EXPECTED
    assert nothing_waits(waiting)
    counts = tally(waiting)
    assert (counts["edits"], counts["prompts"], counts["stops"], counts["refusals"]) == (1, 1, 1, 2)


def test_the_file_of_waiting_records_is_for_its_owner_only(waiting: Ledger) -> None:
    assert waiting.waiting.stat().st_mode & 0o077 == 0


def test_a_half_written_last_line_is_passed_over(project: Project, waiting: Ledger) -> None:
    with waiting.waiting.open("a") as file:
        file.write('{"at":1.0,"name":"PreToolUse","payload":{"tool_use_id":"half')
    next_hook(project)
    assert names(waiting) == EXPECTED
    assert nothing_waits(waiting)


@pytest.mark.parametrize("cut", [1, 20, 200])
def test_a_record_cut_anywhere_costs_only_itself(project: Project, waiting: Ledger, cut: int) -> None:
    text = waiting.waiting.read_text()
    waiting.waiting.write_text(text[:-cut])
    next_hook(project)
    # only the line's end is missing, or the last of the three
    assert names(waiting) == (EXPECTED if cut == 1 else ["PreToolUse", "PostToolUse", "UserPromptSubmit", "PreToolUse"])
    next_hook(project)
    assert nothing_waits(waiting)


def test_a_record_put_aside_after_a_half_written_one_is_not_lost_with_it(project: Project, waiting: Ledger) -> None:
    with waiting.waiting.open("a") as file:
        file.write('{"at":1.0,"name":"PreToolUse","payload":{"tool_use_id":"half')
    with waiting.unusable():
        project.hook("PostToolUse", write_made(project, tool_use_id="after the half"))
    next_hook(project)
    assert "after the half" in waiting.tool_uses()


BAD_LINES = {
    "garbage": "garbage",
    "an empty line": "",
    "no object": "[1, 2]",
    "an open brace": "{",
    "an open text": '{"at": "',
    "zero bytes": "\0\0\0",
    "a time that is no number": '{"at": NaN, "payload": {}}',
    "a number beyond all numbers": '{"at": 1' + "0" * 400 + ', "payload": {}}',
    "wrong types everywhere": '{"at": [], "payload": 7, "rulings": [7, {"facts": [[1]], "verdict": 3}], "identity": {}, "origin": 1}',
}  # fmt: skip


@pytest.mark.parametrize("line", BAD_LINES.values(), ids=BAD_LINES.keys())
def test_a_bad_line_among_waiting_records_stops_neither_them_nor_what_follows(project: Project, waiting: Ledger, line: str) -> None:
    waiting.waiting.write_text(line + "\n" + waiting.waiting.read_text())
    next_hook(project)
    next_hook(project)
    recorded = [name for name in names(waiting) if name]
    assert recorded == [*EXPECTED, "PreToolUse"]
    assert nothing_waits(waiting)


DIES_AFTER_TAKING = """
_take = spilled
def spilled(folder):
    _take(folder)
    os._exit(9)
"""
DIES_BEFORE_FORGETTING = """
def forget_spilled(folder):
    os._exit(9)
"""


def test_what_a_hook_had_taken_when_it_was_killed_is_taken_in_by_the_next(project: Project, waiting: Ledger, tmp_path: Path) -> None:
    package = copy_package(tmp_path / "package")
    plant(package, "store/recovery.py", DIES_AFTER_TAKING)
    kill_one_hook(project.with_package(package))
    assert waiting.taken.exists()
    assert names(waiting) == ["PreToolUse"]
    next_hook(project)
    assert names(waiting) == EXPECTED
    assert nothing_waits(waiting)


def test_what_a_hook_had_written_when_it_was_killed_is_not_written_again(project: Project, waiting: Ledger, tmp_path: Path) -> None:
    package = copy_package(tmp_path / "package")
    plant(package, "store/recovery.py", DIES_BEFORE_FORGETTING)
    kill_one_hook(project.with_package(package))
    assert waiting.taken.exists()
    assert names(waiting) == EXPECTED
    next_hook(project)
    assert names(waiting) == [*EXPECTED, "PreToolUse"]
    assert (tally(waiting)["edits"], tally(waiting)["prompts"], tally(waiting)["stops"]) == (1, 1, 1)


def kill_one_hook(project: Project) -> None:
    """Run a hook that ends in the middle of its work, where the test has planted that."""
    process = project.start("PreToolUse")
    give_input(process, write_proposed(project))
    process.communicate()
    assert process.returncode == 9


def test_records_put_aside_while_others_were_being_taken_in_follow_later(project: Project, waiting: Ledger) -> None:
    waiting.waiting.rename(waiting.taken)
    with waiting.unusable():
        project.hook("PostToolUse", write_made(project, tool_use_id="later"))
    next_hook(project)
    next_hook(project)
    assert sorted(names(waiting)) == sorted([*EXPECTED, "PostToolUse", "PreToolUse"])
    assert nothing_waits(waiting)


def test_an_event_delivered_twice_while_the_store_was_away_is_one_event(project: Project, ledger: Ledger) -> None:
    tool_call, turn_end = write_made(project, tool_use_id="twice"), stop(project)
    with ledger.unusable():
        for origin in ("settings", "plugin"):
            project.hook("PostToolUse", tool_call, origin)
            project.hook("Stop", turn_end, origin)
    next_hook(project)
    assert names(ledger) == ["PreToolUse", "PostToolUse", "Stop", "PreToolUse"]
    assert ledger.column("SELECT count(*) FROM delivery GROUP BY event ORDER BY event") == [1, 2, 2, 1]


def test_the_file_of_waiting_records_does_not_grow_without_end(project: Project, ledger: Ledger) -> None:
    ledger.waiting.write_bytes(b"x" * 9_000_000)
    with ledger.unusable():
        answer = project.hook("PostToolUse", write_made(project))
    assert "store" in answer.message
    assert ledger.waiting.stat().st_size == 9_000_000


def test_many_hooks_at_once_that_put_aside_lose_nothing(project: Project, ledger: Ledger) -> None:
    payloads = [write_made(project, f"src/file{number}.py") for number in range(16)]
    with ledger.unusable():
        project.hooks_at_once(("PostToolUse", payload, "") for payload in payloads)
    project.hooks_at_once(("PostToolUse", write_made(project, f"src/new{number}.py"), "") for number in range(8))
    next_hook(project)
    assert tally(ledger)["edits"] == 24
    assert nothing_waits(ledger)


def test_a_waiting_record_remembers_where_it_happened(project: Project, ledger: Ledger) -> None:
    payload = write_made(project)
    del payload["cwd"]
    with ledger.unusable():
        project.hook("PostToolUse", payload)
    next_hook(project)
    assert ledger.column("SELECT cwd FROM event WHERE name = 'PostToolUse'") == [str(project.folder)]
