"""What is said over a session: the brief at its start, the summary at a stop; and what is only recorded."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support.configurations import NOTHING_ENFORCED
from tests.support.hook_process import Project
from tests.support.ledger import ledger_of
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
from tests.support.repositories import begin_conflicting_merge, commit_file, git


def tally_of(project: Project) -> dict[str, Any]:
    (text,) = ledger_of(project).column("SELECT tally FROM session WHERE id = ?", project.session)
    return json.loads(text)


def test_the_brief_counts_uncommitted_and_untracked_files(project: Project) -> None:
    commit_file(project.folder / "tracked.txt", "one\n")
    git(project.folder, "add", "holdfast.toml")
    git(project.folder, "commit", "--quiet", "--message=configure")
    assert "branch main, nothing uncommitted." in project.hook("SessionStart", session_start(project)).context
    (project.folder / "tracked.txt").write_text("two\n")
    assert "branch main, 1 uncommitted file." in project.hook("SessionStart", session_start(project)).context
    for name in ("a.txt", "b.txt"):
        (project.folder / name).touch()
    assert "3 uncommitted files (2 untracked)." in project.hook("SessionStart", session_start(project)).context


@pytest.mark.parametrize("source", ["startup", "resume", "clear", "compact"])
def test_the_brief_comes_whatever_a_session_starts_from(project: Project, source: str) -> None:
    assert "branch main" in project.hook("SessionStart", session_start(project, source=source)).context


def test_the_brief_names_what_is_enforced(project: Project) -> None:
    said = project.hook("SessionStart", session_start(project)).context
    assert "Enforced (profile strict): catastrophic-command – " in said
    assert "edit-on-main – source edits are refused while main or master is checked out" in said
    assert len(said) < 1_200


def test_the_brief_says_when_nothing_is_enforced_or_only_observed(project: Project) -> None:
    (project.folder / "holdfast.toml").write_text(NOTHING_ENFORCED)
    assert "profile standard): nothing is refused" in project.hook("SessionStart", session_start(project)).context
    (project.folder / "holdfast.toml").write_text('profile = "observe"\n')
    assert "stops nothing" in project.hook("SessionStart", session_start(project)).context


def test_the_brief_says_detached_merging_and_outside_git(project: Project) -> None:
    begin_conflicting_merge(project.folder)
    assert "merge in progress" in project.hook("SessionStart", session_start(project)).context
    git(project.folder, "merge", "--abort")
    git(project.folder, "checkout", "--quiet", "--detach")
    assert "detached HEAD" in project.hook("SessionStart", session_start(project)).context
    outside = session_start(project, cwd=str(project.home))
    assert "in no repository" in project.hook("SessionStart", outside).context


def test_the_summary_tells_the_person_what_the_session_did(branch_project: Project) -> None:
    project = branch_project
    project.hook("PostToolUse", write_made(project, "src/app.py"))
    project.hook("PostToolUse", write_made(project, "tests/test_app.py"))
    project.hook("PostToolUse", command_ran(project, "make"))
    project.hook("PostToolUseFailure", command_failed(project, "make test", "Exit code 2\nred"))
    answer = project.hook("Stop", stop(project))
    assert "2 files edited (src/app.py, tests/test_app.py), 2 commands (1 failed); branch feature." in answer.message
    assert answer.context == "", "at a stop, whatever the agent is told makes it go on"


def test_the_summary_is_silent_when_nothing_happened_since_the_last_stop(project: Project) -> None:
    assert project.hook("Stop", stop(project)).silent
    project.hook("PostToolUse", write_made(project))
    assert "1 file edited" in project.hook("Stop", stop(project)).message
    assert project.hook("Stop", stop(project)).silent
    project.hook("UserPromptSubmit", prompt_given(project))
    assert project.hook("Stop", stop(project)).silent
    project.hook("PreToolUse", write_proposed(project))
    assert "1 refusal" in project.hook("Stop", stop(project)).message


def test_a_session_knows_nothing_of_another(project: Project) -> None:
    project.hook("PostToolUse", write_made(project))
    other = project.with_session("session-2")
    assert other.hook("Stop", stop(other)).silent


def test_a_failing_command_is_recorded_with_its_status(project: Project) -> None:
    project.hook("PostToolUseFailure", command_failed(project, "make test", "Exit code 3\nout\nbad"))
    ledger = ledger_of(project)
    assert ledger.rows("SELECT name, kind, subject FROM event") == [("PostToolUseFailure", "CommandRan", "make test")]
    (body,) = ledger.column("SELECT body FROM payload")
    assert json.loads(body)["error"] == "Exit code 3\nout\nbad"
    assert (tally_of(project)["commands"], tally_of(project)["failed_commands"]) == (1, 1)


@pytest.mark.parametrize(
    ("error", "failed"),
    [("Exit code 0", 0), ("Exit code 1", 1), ("Exit code 137\nKilled", 1), ("Exit code x", 0), ("Request interrupted", 0), ("", 0)],
)
def test_only_a_status_that_is_told_counts_as_a_failure(project: Project, error: str, failed: int) -> None:
    project.hook("PostToolUseFailure", command_failed(project, error=error))
    assert tally_of(project)["failed_commands"] == failed


def test_the_end_of_a_session_is_recorded_and_silent(project: Project) -> None:
    project.hook("PostToolUse", write_made(project))
    assert project.hook("SessionEnd", recorded("SessionEnd", project)).silent
    ((ended, latest),) = ledger_of(project).rows("SELECT ended, latest FROM session")
    assert ended == latest


def test_a_session_that_goes_on_after_its_end_is_open_again(project: Project) -> None:
    project.hook("SessionEnd", recorded("SessionEnd", project))
    project.hook("SessionStart", session_start(project, source="resume"))
    assert ledger_of(project).column("SELECT ended FROM session") == [None]


CURSOR = {"conversation_id": "conversation-1", "generation_id": "g", "cursor_version": "2.0", "workspace_roots": ["/w"]}


def test_a_payload_of_cursor_is_recorded_under_its_name_and_never_judged(project: Project) -> None:
    payload = write_proposed(project) | CURSOR
    del payload["session_id"]
    assert project.hook("PreToolUse", payload).silent
    rows = ledger_of(project).rows("SELECT host, name, kind, session, decision FROM event")
    assert rows == [("cursor", "PreToolUse", "OtherEvent", "conversation-1", "nothing")]


@pytest.mark.parametrize("event", ["SessionStart", "Stop", "PostToolUse"])
def test_a_foreign_payload_is_silent_for_every_event(project: Project, event: str) -> None:
    project.hook("PostToolUse", write_made(project))
    payload = {"hook_event_name": event, "sessionId": "copilot-1", "cwd": str(project.folder), "toolName": "edit"}
    assert project.hook(event, payload).silent
    assert ledger_of(project).column("SELECT host FROM event") == ["claude-code", "copilot"]


RECORDED = [
    "ConfigChange", "CwdChanged", "FileChanged", "InstructionsLoaded", "Notification", "PermissionDenied", "PermissionRequest",
    "PostCompact", "PostToolBatch", "PreCompact", "Setup", "StopFailure", "SubagentStart", "SubagentStop", "TaskCompleted",
    "TaskCreated", "UserPromptExpansion", "PreToolUse.Agent", "PostToolUse.TaskUpdate", "PostToolUseFailure.Read",
]  # fmt: skip


@pytest.mark.parametrize("name", RECORDED)
def test_every_other_event_of_the_client_is_recorded_and_silent(project: Project, name: str) -> None:
    event = name.partition(".")[0]
    assert project.hook(event, recorded(name, project)).silent
    assert ledger_of(project).column("SELECT name FROM event") == [event]
