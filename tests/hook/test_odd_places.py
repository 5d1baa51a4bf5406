"""Folders that are strange, gone, read-only or full: the gate still judges, and the person is told what is wrong."""

from __future__ import annotations

import os
import resource
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.fixtures import make_project
from tests.support.hook_process import Project, require_deny
from tests.support.ledger import Ledger, ledger_of
from tests.support.namespaces import full_disk, read_only
from tests.support.payloads import session_start, stop, write_made, write_proposed
from tests.support.repositories import git

ODD_NAMES = ["with spaces", "it's \"quoted\"", "two\nlines", "größe-漢字-🙂", "-dash", "$(id)", "back\\slash", "trailing ", "a|b"]


@pytest.mark.parametrize("name", ODD_NAMES)
def test_a_project_with_an_odd_name_is_judged_and_recorded(tmp_path: Path, name: str) -> None:
    project = make_project(tmp_path, name)
    require_deny(project.hook("PreToolUse", write_proposed(project)), "src/app.py", "branch main")
    assert "1 uncommitted file" in project.hook("SessionStart", session_start(project)).context
    git(project.folder, "switch", "--quiet", "--create", "feature")
    assert project.hook("PreToolUse", write_proposed(project)).silent
    assert ledger_of(project).count() == 3
    assert ledger_of(project).column("SELECT root FROM session") == [str(project.folder)]


@pytest.mark.parametrize("name", ODD_NAMES)
def test_an_oddly_named_file_is_named_in_the_refusal(project: Project, name: str) -> None:
    require_deny(project.hook("PreToolUse", write_proposed(project, f"src/{name}.py")), f"src/{name}.py", "branch main")


def test_a_project_folder_of_undecodable_bytes_is_judged(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9")
    project = make_project(tmp_path, name)
    payload = write_proposed(project, "src/app.py", cwd="/")
    # the host's JSON cannot say such a folder; a relative path reaches it through the project's variable
    payload["tool_input"]["file_path"] = "src/app.py"
    del payload["cwd"]
    require_deny(project.hook("PreToolUse", payload), "src/app.py", "branch main")
    assert ledger_of(project).count() == 1


def test_without_a_cwd_in_the_payload_relative_paths_start_at_the_project(project: Project) -> None:
    payload = write_proposed(project)
    payload["tool_input"]["file_path"] = "src/app.py"
    del payload["cwd"]
    require_deny(project.hook("PreToolUse", payload), "src/app.py", "branch main")


def test_without_any_project_variable_the_cwd_decides(project: Project) -> None:
    bare = project.with_environment(CLAUDE_PROJECT_DIR="")
    require_deny(bare.hook("PreToolUse", write_proposed(project)), "src/app.py", "branch main")
    assert ledger_of(project).count() == 1


def test_a_deleted_working_folder_changes_nothing_while_the_project_stands(project: Project, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    payload = write_proposed(project, project.folder / "src/app.py", cwd=str(gone))
    require_deny(project.hook("PreToolUse", payload, cwd=gone, preparation=gone.rmdir), "src/app.py")
    assert not gone.exists()
    assert ledger_of(project).count() == 1


def test_when_the_project_itself_is_gone_the_person_is_told_once(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    home = tmp_path / "home"
    home.mkdir()
    project = Project(gone, home)
    first = project.hook("Stop", stop(project), cwd=gone, preparation=gone.rmdir)
    assert "no project folder could be found" in first.message
    assert project.hook("Stop", stop(project)).silent
    assert project.hook("PreToolUse", write_proposed(project)).decision == ""
    assert not gone.exists()


@pytest.fixture
def read_only_project(project: Project) -> Iterator[Project]:
    """A project on a read-only file system, with a store from before."""
    project.hook("PreToolUse", write_proposed(project, tool_use_id="before"))
    with read_only(project.folder) as view:
        yield project.with_wrapper(view.entering)


def test_a_gate_holds_on_a_read_only_file_system(read_only_project: Project) -> None:
    require_deny(read_only_project.hook("PreToolUse", write_proposed(read_only_project)), "src/app.py", "branch main")


def test_on_a_read_only_file_system_the_person_is_told_once(read_only_project: Project) -> None:
    first = read_only_project.hook("PostToolUse", write_made(read_only_project))
    assert "store" in first.message
    assert "holdfast doctor" in first.message
    assert read_only_project.hook("PostToolUse", write_made(read_only_project)).silent


def test_a_session_that_starts_on_a_read_only_file_system_has_its_brief(read_only_project: Project) -> None:
    answer = read_only_project.hook("SessionStart", session_start(read_only_project))
    assert "branch main" in answer.context


def test_what_was_recorded_survives_a_read_only_time(read_only_project: Project) -> None:
    read_only_project.hook("PreToolUse", write_proposed(read_only_project))
    ledger = ledger_of(read_only_project)
    assert ledger.is_sound()
    assert ledger.tool_uses() == ["before"]


def test_a_read_only_project_without_a_store_is_judged_and_told_of_once(project: Project) -> None:
    with read_only(project.folder) as view:
        inside = project.with_wrapper(view.entering)
        require_deny(inside.hook("PreToolUse", write_proposed(project)), "src/app.py", "branch main")
        assert inside.hook("PostToolUse", write_made(project)).silent, "told already with the refusal"
        other = inside.with_session("session-2")
        assert "Read-only" in other.hook("PostToolUse", write_made(other)).message
    assert not ledger_of(project).folder.exists()


def test_a_file_in_the_place_of_the_stores_folder_is_told_of_once_and_left_alone(project: Project) -> None:
    ledger_of(project).folder.write_text("not a folder")
    first = project.hook("PreToolUse", write_proposed(project))
    require_deny(first, "src/app.py", "branch main")
    assert "store" in first.message
    assert project.hook("PreToolUse", write_proposed(project)).message == ""
    assert ledger_of(project).folder.read_text() == "not a folder"


def no_byte_can_be_written() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


@pytest.mark.parametrize("recorded_before", [False, True], ids=["without a store", "with a store"])
def test_a_gate_holds_and_the_person_is_told_once_when_no_byte_can_be_written(project: Project, recorded_before: bool) -> None:
    if recorded_before:
        project.hook("PreToolUse", write_proposed(project, tool_use_id="before"))
    first = project.hook("PreToolUse", write_proposed(project), preparation=no_byte_can_be_written)
    require_deny(first, "src/app.py", "branch main")
    second = project.hook("PreToolUse", write_proposed(project), preparation=no_byte_can_be_written)
    require_deny(second, "src/app.py", "branch main")
    project.hook("PreToolUse", write_proposed(project, tool_use_id="after"))
    kept = ledger_of(project).tool_uses()
    assert kept == (["before", "after"] if recorded_before else ["after"])
    assert "store" in first.message
    assert second.message == ""


def test_a_session_start_when_no_byte_can_be_written_has_its_brief(project: Project) -> None:
    project.hook("PreToolUse", write_proposed(project))
    answer = project.hook("SessionStart", session_start(project), preparation=no_byte_can_be_written)
    assert "branch main" in answer.context


def test_a_full_disk_leaves_the_gate_closed_and_the_store_sound(project: Project, tmp_path: Path) -> None:
    project.hook("PreToolUse", write_proposed(project, tool_use_id="before"))
    with full_disk(project.folder) as view:
        inside = project.with_wrapper(view.entering)
        first = inside.hook("PreToolUse", write_proposed(project, tool_use_id="during"))
        require_deny(first, "src/app.py", "branch main")
        require_deny(inside.hook("PreToolUse", write_proposed(project)), "src/app.py", "branch main")
        view.seen(project.folder / "filler").unlink()
        require_deny(inside.hook("PreToolUse", write_proposed(project, tool_use_id="after")), "src/app.py")
        # copied, because SQLite would follow the link out of the namespace
        shutil.copytree(view.seen(ledger_of(project).folder), tmp_path / "copy")
    ledger = Ledger(tmp_path / "copy")
    assert ledger.is_sound()
    kept = ledger.tool_uses()
    assert kept[0] == "before"
    assert kept[-1] == "after"
    assert "during" in kept or "store" in first.message, "neither recorded nor told of"
