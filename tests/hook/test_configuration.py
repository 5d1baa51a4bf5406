"""How the configuration reaches a hook: at the next event, the strongest file first, its faults told once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.hook_process import Project, require_deny
from tests.support.ledger import ledger_of
from tests.support.payloads import session_start, write_made, write_proposed
from tests.support.repositories import git

STRICT, STANDARD, OBSERVE = 'profile = "strict"\n', 'profile = "standard"\n', 'profile = "observe"\n'


def configure(project: Project, text: str) -> None:
    (project.folder / "holdfast.toml").write_text(text)


def decision_on_edit(project: Project, path: str = "src/app.py") -> str:
    return project.hook("PreToolUse", write_proposed(project, path)).decision


def test_a_change_takes_effect_at_the_next_event(project: Project) -> None:
    assert decision_on_edit(project) == "deny"
    configure(project, STANDARD)
    assert decision_on_edit(project) == ""
    configure(project, STRICT)
    assert decision_on_edit(project) == "deny"
    (project.folder / "holdfast.toml").unlink()
    assert decision_on_edit(project) == ""


def test_a_change_that_keeps_size_and_time_takes_effect_when_the_file_is_replaced(project: Project, tmp_path: Path) -> None:
    configure(project, '[policy.edit-on-main]\nmode = "warn"   \n')
    assert decision_on_edit(project) == ""
    other = tmp_path / "other.toml"
    other.write_text('[policy.edit-on-main]\nmode = "enforce"\n')
    file = project.folder / "holdfast.toml"
    assert other.stat().st_size == file.stat().st_size
    seen = file.stat()
    os.utime(other, ns=(seen.st_atime_ns, seen.st_mtime_ns))
    other.replace(file)
    assert decision_on_edit(project) == "deny"


def test_warn_mode_says_what_would_have_been_denied(project: Project) -> None:
    configure(project, STRICT + '[policy.edit-on-main]\nmode = "warn"\n')
    answer = project.hook("PreToolUse", write_proposed(project))
    assert answer.decision == ""
    assert "Would have denied this" in answer.context
    assert ledger_of(project).rows("SELECT mode, decision, effective FROM ruling WHERE policy = 'edit-on-main'") == [("warn", "deny", "note")]


MODES = [
    (STANDARD, ""),
    (STRICT, "deny"),
    ('profile = "full"\n', "deny"),
    (OBSERVE, ""),
    (STANDARD + '[policy.edit-on-main]\nmode = "enforce"\n', "deny"),
    (STRICT + '[policy.edit-on-main]\nmode = "off"\n', ""),
    (STRICT + '[policy.edit-on-main]\nbranches = ["release"]\n', ""),
    (STANDARD + '[policy.edit-on-main]\nmode = "enforce"\nbranches = ["main"]\n', "deny"),
    ("", ""),
]


@pytest.mark.parametrize(("config", "decision"), MODES)
def test_profile_mode_and_settings_decide_together(project: Project, config: str, decision: str) -> None:
    configure(project, config)
    assert decision_on_edit(project) == decision
    assert decision_on_edit(project) == decision, "from the snapshot"


PATHS = [
    ('["src/**"]', "src/deep/app.py", "deny"),
    ('["src/**"]', "lib/app.py", ""),
    ('["!src/generated/"]', "src/generated/app.py", ""),
    ('["!src/generated/"]', "src/app.py", "deny"),
    ('["*.ts"]', "src/app.py", ""),
    ('["*.ts", "*.py"]', "src/app.py", "deny"),
    ("[]", "src/app.py", "deny"),
]


@pytest.mark.parametrize(("paths", "file", "decision"), PATHS)
def test_paths_choose_the_files_that_a_policy_concerns(project: Project, paths: str, file: str, decision: str) -> None:
    configure(project, STRICT + f"[policy.edit-on-main]\npaths = {paths}\n")
    assert decision_on_edit(project, file) == decision


def user_file(project: Project) -> Path:
    path = project.home / ".config/holdfast/config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def test_the_users_file_is_weaker_than_pyproject_and_that_than_holdfast_toml(project: Project) -> None:
    (project.folder / "holdfast.toml").unlink()
    user_file(project).write_text(STRICT)
    assert decision_on_edit(project) == "deny"
    (project.folder / "pyproject.toml").write_text('[tool.holdfast]\nprofile = "standard"\n')
    assert decision_on_edit(project) == ""
    configure(project, STRICT)
    assert decision_on_edit(project) == "deny"


def test_files_are_merged_setting_by_setting(project: Project) -> None:
    user_file(project).write_text(STANDARD + '[policy.edit-on-main]\nbranches = ["trunk"]\n')
    assert decision_on_edit(project) == "", "strict from the project, but main is not protected by the user's choice"


def test_the_users_file_lies_where_xdg_says(project: Project, tmp_path: Path) -> None:
    (project.folder / "holdfast.toml").unlink()
    (tmp_path / "xdg/holdfast").mkdir(parents=True)
    (tmp_path / "xdg/holdfast/config.toml").write_text(STRICT)
    assert decision_on_edit(project.with_environment(XDG_CONFIG_HOME=str(tmp_path / "xdg"))) == "deny"


def test_an_unknown_key_is_told_once_per_session_and_the_rest_holds(project: Project) -> None:
    configure(project, STRICT + 'retention_dayz = 3\n[policy.edit-on-main]\nmodee = "off"\n')
    project.hook("SessionStart", session_start(project))
    first = project.hook("PreToolUse", write_proposed(project))
    require_deny(first, "src/app.py")
    assert "2 problem(s)" in first.message
    assert "did you mean 'retention_days'?" in first.message
    assert "holdfast.toml:2" in first.message
    assert project.hook("PreToolUse", write_proposed(project)).message == ""
    other = project.with_session("session-2")
    assert "retention_dayz" in other.hook("PostToolUse", write_made(other)).message


def test_while_the_configuration_cannot_be_parsed_the_last_good_one_holds_and_that_is_said_once(project: Project) -> None:
    assert decision_on_edit(project) == "deny"
    configure(project, 'profile = "standard\n')
    first = project.hook("PreToolUse", write_proposed(project))
    require_deny(first, "src/app.py", "branch main")
    assert "cannot be read" in first.message
    second = project.hook("PreToolUse", write_proposed(project))
    require_deny(second, "src/app.py", "branch main")
    assert second.message == ""
    configure(project, STANDARD)
    assert decision_on_edit(project) == ""


def test_a_configuration_that_was_never_good_means_the_standard_profile(project: Project) -> None:
    configure(project, "profile = [")
    answer = project.hook("PreToolUse", write_proposed(project))
    assert answer.decision == ""
    assert "cannot be read" in answer.message


def test_a_configuration_with_a_mistaken_key_is_still_the_last_that_could_be_parsed(project: Project) -> None:
    configure(project, STRICT + "retention_dayz = 3\n")
    assert decision_on_edit(project) == "deny"
    configure(project, 'profile = "strict\n')
    assert decision_on_edit(project) == "deny"


@pytest.mark.parametrize("text", ["\xff\xfe", "\0", "a = 1\na = 2\n", "[policy]\n[policy]\n"])
def test_every_way_to_break_the_file_keeps_the_last_good_configuration(project: Project, text: str) -> None:
    assert decision_on_edit(project) == "deny"
    (project.folder / "holdfast.toml").write_bytes(text.encode("latin-1"))
    assert decision_on_edit(project) == "deny"


def test_a_broken_pyproject_that_does_not_mention_us_is_not_our_business(project: Project) -> None:
    (project.folder / "pyproject.toml").write_text("[project\n")
    answer = project.hook("PreToolUse", write_proposed(project))
    require_deny(answer, "src/app.py")
    assert answer.message == ""


def test_a_worktree_has_its_own_configuration_or_else_that_of_the_main_one(project: Project, tmp_path: Path) -> None:
    git(project.folder, "worktree", "add", "--quiet", "--force", str(tmp_path / "worktree"), "main")
    there = Project(tmp_path / "worktree", project.home)
    assert decision_on_edit(there) == "deny", "holdfast.toml is not committed, and stands in the main worktree only"
    configure(there, STANDARD)
    assert decision_on_edit(there) == ""
    configure(there, STRICT)
    configure(project, STANDARD)
    assert decision_on_edit(there) == "deny"
    assert decision_on_edit(project) == ""
