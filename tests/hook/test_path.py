"""The path of an edit from the host's bytes to the refusal: where it is refused, and where it passes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.fixtures import STRICT, make_project
from tests.support.hook_process import Project, require_deny
from tests.support.ledger import Ledger, ledger_of
from tests.support.payloads import command_proposed, recorded, write_made, write_proposed
from tests.support.repositories import add_worktree, begin_conflicting_merge, commit_file, git, make_repository


@pytest.mark.parametrize("branch", ["main", "master"])
def test_a_source_edit_is_denied_on_a_protected_branch(project: Project, branch: str) -> None:
    git(project.folder, "branch", "--move", branch)
    require_deny(project.hook("PreToolUse", write_proposed(project)), "src/app.py", f"branch {branch}", "git switch -c")


@pytest.mark.parametrize("branch", ["feature", "feature/main", "main/fix", "mainline", "größe"])
def test_a_source_edit_passes_on_any_other_branch(project: Project, branch: str) -> None:
    git(project.folder, "branch", "--move", branch)
    assert project.hook("PreToolUse", write_proposed(project)).silent


EDITS = {
    "Write": {"content": "x = 1\n"},
    "Edit": {"old_string": "x = 1", "new_string": "x = 2", "replace_all": False},
    "MultiEdit": {"edits": [{"old_string": "x = 1", "new_string": "x = 2"}]},
}


@pytest.mark.parametrize("tool", EDITS)
def test_every_tool_that_edits_is_judged(project: Project, tool: str) -> None:
    tool_input = {"file_path": f"{project.folder}/src/app.py", **EDITS[tool]}
    payload = recorded("PreToolUse.Edit", project, tool_name=tool, tool_input=tool_input)
    require_deny(project.hook("PreToolUse", payload), "src/app.py", "branch main")


PASSING_FILES = [
    "tests/test_app.py", "src/app.test.ts", "AppTest.java", "docs/guide.md", "README.rst", "pyproject.toml", "config.yaml",
    ".github/workflows/check.py", ".claude/agents/helper.md", "conftest.py", "dist/bundle.js", "node_modules/a/index.js",
    "data.csv", ".gitignore", "LICENSE",
]  # fmt: skip


@pytest.mark.parametrize("path", PASSING_FILES)
def test_tests_documents_configuration_and_generated_files_pass_on_main(project: Project, path: str) -> None:
    assert project.hook("PreToolUse", write_proposed(project, path)).silent


REFUSED_FILES = ["app.py", "src/app.ts", "lib/builder.rs", "src/latest.py", "cmd/main.go", "scripts/run.sh", "src/.hidden/a.py"]


@pytest.mark.parametrize("path", REFUSED_FILES)
def test_source_is_refused_wherever_it_lies(project: Project, path: str) -> None:
    require_deny(project.hook("PreToolUse", write_proposed(project, path)), path)


def test_an_edit_during_a_merge_passes(project: Project) -> None:
    begin_conflicting_merge(project.folder)
    assert project.hook("PreToolUse", write_proposed(project)).silent


def test_an_edit_after_the_merge_is_denied_again(project: Project) -> None:
    begin_conflicting_merge(project.folder)
    git(project.folder, "merge", "--abort")
    require_deny(project.hook("PreToolUse", write_proposed(project)), "src/app.py")


def test_an_edit_before_the_first_commit_passes(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "project", commit=False)
    (folder / "holdfast.toml").write_text(STRICT)
    home = tmp_path / "home"
    home.mkdir()
    project = Project(folder, home)
    assert project.hook("PreToolUse", write_proposed(project)).silent
    git(folder, "commit", "--quiet", "--allow-empty", "--message=first")
    require_deny(project.hook("PreToolUse", write_proposed(project)), "src/app.py")


def test_an_edit_with_a_detached_head_passes(project: Project) -> None:
    git(project.folder, "checkout", "--quiet", "--detach")
    assert project.hook("PreToolUse", write_proposed(project)).silent


def test_packed_references_are_found(project: Project) -> None:
    git(project.folder, "pack-refs", "--all")
    require_deny(project.hook("PreToolUse", write_proposed(project)), "src/app.py")


def test_outside_git_everything_passes_and_is_recorded_beside_the_project(tmp_path: Path) -> None:
    folder, home = tmp_path / "project", tmp_path / "home"
    folder.mkdir()
    home.mkdir()
    (folder / "holdfast.toml").write_text(STRICT)
    project = Project(folder, home)
    assert project.hook("PreToolUse", write_proposed(project, tool_use_id="outside")).silent
    assert Ledger(folder / ".holdfast").tool_uses() == ["outside"]


def test_a_worktree_on_a_branch_passes_though_main_is_checked_out_beside_it(project: Project, tmp_path: Path) -> None:
    worktree = add_worktree(project.folder, tmp_path / "worktree", "feature")
    payload = write_proposed(project, worktree / "src/app.py", cwd=str(worktree))
    assert project.hook("PreToolUse", payload).silent


def test_a_worktree_on_main_is_protected_though_the_session_stands_on_a_branch(branch_project: Project, tmp_path: Path) -> None:
    git(branch_project.folder, "worktree", "add", "--quiet", str(tmp_path / "worktree"), "main")
    payload = write_proposed(branch_project, tmp_path / "worktree/src/app.py")
    require_deny(branch_project.hook("PreToolUse", payload), "src/app.py", "branch main")


def test_worktrees_share_one_store(project: Project, tmp_path: Path) -> None:
    worktree = add_worktree(project.folder, tmp_path / "worktree", "feature")
    project.hook("PreToolUse", write_proposed(project, tool_use_id="here"))
    there = Project(worktree, project.home, "session-2")
    there.hook("PreToolUse", write_proposed(there, tool_use_id="there"))
    assert ledger_of(project).tool_uses() == ["here", "there"]


@pytest.mark.parametrize(("branch", "decision"), [("main", "deny"), ("feature", "")])
def test_a_file_in_another_repository_is_judged_by_that_repository(project: Project, tmp_path: Path, branch: str, decision: str) -> None:
    other = make_repository(tmp_path / "other", branch)
    assert project.hook("PreToolUse", write_proposed(project, other / "src/app.py")).decision == decision


def test_a_link_counts_where_it_leads(project: Project, tmp_path: Path) -> None:
    other = make_repository(tmp_path / "other", "feature")
    (other / "real.py").touch()
    (project.folder / "link.py").symlink_to(other / "real.py")
    assert project.hook("PreToolUse", write_proposed(project, "link.py")).silent
    (project.folder / "source.py").touch()
    (other / "back.md").symlink_to(project.folder / "source.py")
    require_deny(project.hook("PreToolUse", write_proposed(project, other / "back.md")), "source.py")


def test_a_link_to_the_projects_folder_changes_nothing(project: Project, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(project.folder)
    through = Project(link, project.home)
    require_deny(through.hook("PreToolUse", write_proposed(through)), "src/app.py", "branch main")
    assert ledger_of(project).count() == 1


@pytest.mark.parametrize("path", ["src/app.py", "./src/app.py", "tests/../src/app.py"])
def test_a_relative_path_starts_where_the_host_stands(project: Project, path: str) -> None:
    payload = write_proposed(project)
    payload["tool_input"]["file_path"] = path
    require_deny(project.hook("PreToolUse", payload), "src/app.py")


def test_an_edit_below_the_git_folder_passes(project: Project) -> None:
    assert project.hook("PreToolUse", write_proposed(project, ".git/notes.sh")).silent
    assert "tampering" in project.hook("PreToolUse", write_proposed(project, ".git/hooks/pre-commit.sh")).reason


def test_several_files_are_named_in_one_refusal(project: Project) -> None:
    payload = write_proposed(project)
    payload["tool_input"] = {"files": [{"file_path": f"{project.folder}/{name}.py", "content": ""} for name in "abcde"]}
    require_deny(project.hook("PreToolUse", payload), "a.py, b.py, c.py and 2 more are source")


def test_commands_and_finished_edits_are_recorded_and_pass(project: Project) -> None:
    assert project.hook("PreToolUse", command_proposed(project, "make deploy")).silent
    assert project.hook("PostToolUse", write_made(project)).silent
    assert ledger_of(project).column("SELECT kind FROM event ORDER BY id") == ["CommandProposed", "EditMade"]


def test_a_refusal_is_recorded_with_reason_remedy_and_the_facts_behind_it(project: Project) -> None:
    project.hook("PreToolUse", write_proposed(project))
    ((policy, mode, decision, effective, slug, reason, remedy, error, facts),) = ledger_of(project).rows(
        "SELECT policy, mode, decision, effective, slug, reason, remedy, error, facts FROM ruling WHERE policy = 'edit-on-main'"
    )
    assert (policy, mode, decision, effective, error) == ("edit-on-main", "enforce", "deny", "deny", "")
    assert slug == "source-edit-on-protected-branch"
    assert reason == "src/app.py is source, and the branch main is checked out."
    assert "git switch -c" in remedy
    ((kind, value),) = json.loads(facts)
    assert kind == "repository"
    assert "branch='main'" in value


def test_the_audit_log_has_a_line_for_each_refusal_where_init_was_run(project: Project) -> None:
    project.hook("PreToolUse", write_proposed(project))
    assert not (project.folder / ".claude").exists()
    (project.folder / ".claude").mkdir()
    project.hook("PreToolUse", write_proposed(project))
    assert not (project.folder / ".claude/.audit-log").exists(), "nobody keeps it out of git"
    (project.folder / ".git/holdfast/install.json").write_text("{}")
    project.hook("PreToolUse", write_proposed(project))
    project.hook("PostToolUse", write_made(project))
    (line,) = (project.folder / ".claude/.audit-log").read_text().splitlines()
    _, event, decision, policy, subject, reason = line.split("|")
    assert (event, decision, policy) == ("PreToolUse", "deny", "edit-on-main")
    assert subject == f"{project.folder}/src/app.py"
    assert reason.startswith("src/app.py is source")


def test_a_submodule_is_judged_by_its_own_branch(project: Project, tmp_path: Path) -> None:
    inner = make_repository(tmp_path / "inner", "feature")
    commit_file(inner / "a.txt", "a")
    git(project.folder, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner), "inner")
    assert project.hook("PreToolUse", write_proposed(project, "inner/src/app.py")).silent
    git(project.folder / "inner", "switch", "--quiet", "--create", "main")
    require_deny(project.hook("PreToolUse", write_proposed(project, "inner/src/app.py")), "src/app.py", "branch main")


def test_a_project_below_the_repositorys_root_finds_its_store_there(tmp_path: Path) -> None:
    whole = make_project(tmp_path)
    part = whole.folder / "part"
    part.mkdir()
    project = Project(part, whole.home)
    require_deny(project.hook("PreToolUse", write_proposed(project, "app.py")), "part/app.py")
    assert ledger_of(whole).count() == 1
