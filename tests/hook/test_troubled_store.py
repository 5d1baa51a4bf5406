"""A store that is locked, broken, newer or empty: every event is answered, nothing recorded is lost, the person is told once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.hook_process import DEADLINE, Project, require_deny
from tests.support.ledger import Ledger, ledger_of
from tests.support.payloads import command_ran, session_start, stop, write_made, write_proposed


@pytest.fixture
def ledger(project: Project) -> Ledger:
    """The store of the project, with one event in it."""
    project.hook("PreToolUse", write_proposed(project, tool_use_id="before"))
    return ledger_of(project)


def test_a_locked_store_delays_no_answer_beyond_the_deadline_and_loses_nothing(project: Project, ledger: Ledger) -> None:
    with ledger.locked():
        answer = project.hook("PreToolUse", write_proposed(project, tool_use_id="while-locked"))
    require_deny(answer, "src/app.py", "branch main")
    assert answer.seconds < DEADLINE / 2
    assert [json.loads(line)["payload"]["tool_use_id"] for line in ledger.waiting.read_text().splitlines()] == ["while-locked"]
    project.hook("PreToolUse", write_proposed(project, tool_use_id="after"))
    assert ledger.tool_uses() == ["before", "while-locked", "after"]
    assert not ledger.waiting.exists()
    assert not ledger.taken.exists()


def test_the_person_is_told_once_that_records_wait_for_a_locked_store(project: Project, ledger: Ledger) -> None:
    with ledger.locked():
        first = project.hook("PostToolUse", write_made(project))
        second = project.hook("PostToolUse", write_made(project))
    assert "store" in first.message
    assert second.silent


def test_what_a_locked_store_took_in_later_is_whole(project: Project, ledger: Ledger) -> None:
    with ledger.locked():
        late = write_proposed(project, "src/late.py")
        project.hooks_at_once([("PostToolUse", command_ran(project, "make test"), ""), ("PreToolUse", late, "")])
    project.hook("Stop", stop(project))
    tally = json.loads(ledger.column("SELECT tally FROM session")[0])
    assert (tally["commands"], tally["refusals"], tally["stops"]) == (1, 2, 1)
    rulings = "SELECT policy, effective, reason FROM ruling JOIN event ON event.id = event WHERE subject LIKE '%late.py' AND concerned AND effective <> 'nothing'"
    assert ledger.rows(rulings) == [("edit-on-main", "deny", "src/late.py is source, and the branch main is checked out.")]


def test_a_session_that_starts_while_the_store_is_locked_has_its_brief(project: Project, ledger: Ledger) -> None:
    with ledger.locked():
        answer = project.hook("SessionStart", session_start(project))
    assert "branch main" in answer.context
    assert answer.seconds < DEADLINE
    project.hook("PostToolUse", write_made(project))
    assert ledger.column("SELECT name FROM event ORDER BY id") == ["PreToolUse", "SessionStart", "PostToolUse"]


def test_a_changed_configuration_takes_effect_while_the_store_is_locked(project: Project, ledger: Ledger) -> None:
    (project.folder / "holdfast.toml").write_text('profile = "standard"\n')
    with ledger.locked():
        answer = project.hook("PreToolUse", write_proposed(project))
    assert answer.decision == ""
    assert answer.seconds < DEADLINE


def test_a_broken_configuration_does_not_open_the_gate_while_the_store_is_locked(project: Project, ledger: Ledger) -> None:
    (project.folder / "holdfast.toml").write_text("profile = [broken")
    with ledger.locked():
        require_deny(project.hook("PreToolUse", write_proposed(project)), "src/app.py", "branch main")


def garbage_header(file: Path) -> None:
    file.write_bytes(b"garbage!" * 64 + file.read_bytes()[512:])


def only_garbage(file: Path) -> None:
    file.write_bytes(b"This is no database at all.\n" * 100)


def garbage_in_all_but_the_first_page(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:1024] + b"\xa5" * (file.stat().st_size - 1024))


def garbage_in_the_events(file: Path) -> None:
    break_root_page(file, "event")


def break_root_page(file: Path, table: str) -> None:
    ledger = Ledger(file.parent)
    (page,) = ledger.column("SELECT rootpage FROM sqlite_master WHERE name = ?", table)
    (size,) = ledger.column("PRAGMA page_size")
    with file.open("r+b") as opened:
        opened.seek((page - 1) * size)
        opened.write(b"\xa5" * size)


def truncated_to_half(file: Path) -> None:
    with file.open("r+b") as opened:
        opened.truncate(file.stat().st_size // 2)


def truncated_within_the_header(file: Path) -> None:
    with file.open("r+b") as opened:
        opened.truncate(60)


DAMAGES = (
    garbage_header,
    only_garbage,
    garbage_in_all_but_the_first_page,
    garbage_in_the_events,
    truncated_to_half,
    truncated_within_the_header,
)


@pytest.fixture
def damaged(ledger: Ledger, request: pytest.FixtureRequest) -> Ledger:
    ledger.fold_log()
    request.param(ledger.file)
    return ledger


damages = pytest.mark.parametrize("damaged", DAMAGES, indirect=True, ids=lambda damage: damage.__name__.replace("_", " "))


@damages
def test_a_gate_holds_while_the_store_is_corrupt(project: Project, damaged: Ledger) -> None:
    require_deny(project.hook("PreToolUse", write_proposed(project)), "src/app.py", "branch main")


@damages
def test_a_corrupt_store_is_moved_aside_untouched_and_a_new_one_begun(project: Project, damaged: Ledger) -> None:
    broken = damaged.file.read_bytes()
    project.hook("PreToolUse", write_proposed(project, tool_use_id="new"))
    project.hook("PreToolUse", write_proposed(project, tool_use_id="newer"))
    assert [path.read_bytes() for path in damaged.moved_aside()] == [broken]
    assert damaged.tool_uses() == ["new", "newer"]
    assert damaged.is_sound()


@damages
def test_the_person_is_told_once_of_a_corrupt_store(project: Project, damaged: Ledger) -> None:
    first = project.hook("PostToolUse", write_made(project))
    assert "the store was corrupt" in first.message
    assert str(damaged.moved_aside()[0]) in first.message
    assert project.hook("PostToolUse", write_made(project)).silent


@damages
def test_a_session_that_starts_with_a_corrupt_store_has_its_brief(project: Project, damaged: Ledger) -> None:
    assert "branch main" in project.hook("SessionStart", session_start(project)).context
    assert damaged.column("SELECT name FROM event") == ["SessionStart"]


@damages
def test_records_that_waited_are_taken_into_the_store_that_follows_a_corrupt_one(project: Project, damaged: Ledger) -> None:
    with damaged.unusable():
        project.hook("PreToolUse", write_proposed(project, tool_use_id="waited"))
    answer = project.hook("PreToolUse", write_proposed(project, tool_use_id="new"))
    require_deny(answer, "src/app.py", "branch main")
    project.hook("PreToolUse", write_proposed(project, tool_use_id="newer"))
    assert sorted(damaged.tool_uses()) == ["new", "newer", "waited"]


@damages
def test_eight_hooks_at_once_on_a_corrupt_store_move_it_aside_once_and_lose_nothing(project: Project, damaged: Ledger) -> None:
    payloads = [write_proposed(project, tool_use_id=f"at-once-{number}") for number in range(8)]
    answers = project.hooks_at_once(("PreToolUse", payload, "") for payload in payloads)
    assert [answer.decision for answer in answers] == ["deny"] * 8
    project.hook("PreToolUse", write_proposed(project, tool_use_id="last"))
    assert len(damaged.moved_aside()) == 1
    assert sorted(damaged.tool_uses()) == [*(f"at-once-{number}" for number in range(8)), "last"]
    assert damaged.is_sound()


def test_garbage_where_the_configuration_is_kept_costs_no_event_and_is_told_of_once(project: Project, ledger: Ledger) -> None:
    ledger.fold_log()
    break_root_page(ledger.file, "snapshot")
    first = project.hook("PreToolUse", write_proposed(project, tool_use_id="new"))
    require_deny(first, "src/app.py", "branch main")
    second = project.hook("PreToolUse", write_proposed(project, tool_use_id="newer"))
    require_deny(second, "src/app.py", "branch main")
    assert ledger.tool_uses()[-2:] == ["new", "newer"]
    assert "corrupt" in first.message
    assert second.message == ""


def test_an_empty_file_becomes_a_store(project: Project, ledger: Ledger) -> None:
    for path in ledger.folder.iterdir():
        path.unlink()
    ledger.file.touch()
    require_deny(project.hook("PreToolUse", write_proposed(project, tool_use_id="new")), "src/app.py", "branch main")
    assert ledger.tool_uses() == ["new"]


def test_a_folder_in_the_place_of_the_store_is_told_of_once_and_its_events_are_kept(project: Project, ledger: Ledger) -> None:
    with ledger.unusable():
        first = project.hook("PostToolUse", write_made(project, tool_use_id="waited"))
        second = project.hook("PostToolUse", write_made(project, tool_use_id="waited too"))
    assert "store" in first.message
    assert second.silent
    project.hook("PostToolUse", write_made(project, tool_use_id="after"))
    assert ledger.tool_uses() == ["before", "waited", "waited too", "after"]


@pytest.mark.parametrize("table", ["event", "session", "snapshot"])
def test_a_store_without_one_of_its_tables_never_opens_the_gate(project: Project, ledger: Ledger, table: str) -> None:
    ledger.change(f"DROP TABLE {table}")
    first = project.hook("PreToolUse", write_proposed(project, tool_use_id="during"))
    require_deny(first, "src/app.py", "branch main")
    second = project.hook("PreToolUse", write_proposed(project))
    require_deny(second, "src/app.py", "branch main")
    recorded = ledger.tool_uses()
    kept = "".join(path.read_text() for path in (ledger.waiting, ledger.taken) if path.exists())
    assert "during" in recorded or "during" in kept, "the record was lost"
    assert "during" in recorded or "store" in first.message, "not recorded and not told of"


@pytest.fixture
def newer(ledger: Ledger) -> Ledger:
    ledger.change("ALTER TABLE event ADD COLUMN invented_later TEXT", "PRAGMA user_version = 99")
    return ledger


def test_a_newer_store_is_read_and_never_written(project: Project, newer: Ledger) -> None:
    before = newer.file.read_bytes()
    require_deny(project.hook("PreToolUse", write_proposed(project)), "src/app.py", "branch main")
    project.hook("SessionStart", session_start(project))
    project.hook("Stop", stop(project))
    assert newer.tool_uses() == ["before"]
    newer.fold_log()
    assert newer.file.read_bytes() == before
    assert newer.moved_aside() == []


def test_the_person_is_told_once_of_a_newer_store(project: Project, newer: Ledger) -> None:
    first = project.hook("PostToolUse", write_made(project))
    assert "written by a newer Holdfast" in first.message
    assert project.hook("PostToolUse", write_made(project)).silent
    other = project.with_session("session-2")
    assert "newer" in other.hook("PostToolUse", write_made(other)).message


def test_a_changed_configuration_takes_effect_beside_a_newer_store(project: Project, newer: Ledger) -> None:
    (project.folder / "holdfast.toml").write_text('profile = "standard"\n')
    assert project.hook("PreToolUse", write_proposed(project)).decision == ""


def test_a_stop_beside_a_newer_store_never_blocks(project: Project, newer: Ledger) -> None:
    assert "decision" not in project.hook("Stop", stop(project)).said
