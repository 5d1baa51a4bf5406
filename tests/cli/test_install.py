"""`init` and `uninstall`: what they write, keep, and put back."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.configurations import NOTHING_ENFORCED
from tests.support.repositories import add_worktree, git

from .conftest import Shell

LOCAL = ".claude/settings.local.json"
FOREIGN = b'{\n    "permissions": {"allow": ["Bash(ls)"]},\n    "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}\n}'


def tree(folder: Path) -> dict[str, bytes]:
    """Every file of a project, git's own folder included, without its objects."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else b""
        for path in sorted(folder.rglob("*"))
        if not str(path.relative_to(folder)).startswith((".git/objects", ".git/logs", ".git/index"))
    }


def our_handlers(shell: Shell, name: str = LOCAL) -> list[dict[str, object]]:
    settings = json.loads((shell.project / name).read_text())
    return [
        handler
        for groups in settings["hooks"].values()
        for group in groups
        for handler in group["hooks"]
        if "holdfast" in json.dumps(handler)
    ]


def test_init_says_what_it_found_and_does(shell: Shell) -> None:
    (shell.project / "pytest.ini").write_text("[pytest]\n")
    done = shell("init", "--profile", "strict")
    assert done.status == 0, done.stderr
    for part in ("branch main", "Python (1)", "pytest", "strict", "edit-on-main", LOCAL, "holdfast.toml", "holdfast doctor"):
        assert part in done.stdout


def test_hooks_are_in_exec_form_with_a_real_interpreter(shell: Shell) -> None:
    shell("init")
    for handler in our_handlers(shell):
        assert isinstance(handler["command"], str)
        assert os.path.realpath(handler["command"]) == handler["command"], "no link, no shim"
        assert "shims" not in handler["command"]
        assert isinstance(handler["args"], list)
        assert handler["args"][:2] == ["-I", "-S"]
        assert handler["timeout"]


def test_gates_close_when_the_hook_cannot_start_and_the_rest_opens(shell: Shell) -> None:
    shell("init", "--profile", "strict")
    settings = json.loads((shell.project / LOCAL).read_text())["hooks"]
    assert settings["PreToolUse"][0]["hooks"][0]["onFailure"] == "block"
    assert settings["PreToolUse"][0]["matcher"] == "Bash|Edit|MultiEdit|NotebookEdit|PowerShell|Write"
    assert "onFailure" not in json.dumps(settings["PostToolUse"])


def test_nothing_closes_where_nothing_is_enforced(shell: Shell) -> None:
    (shell.project / "holdfast.toml").write_text(NOTHING_ENFORCED)
    shell("init")
    assert "onFailure" not in (shell.project / LOCAL).read_text()


def test_init_keeps_the_hooks_of_others(shell: Shell) -> None:
    (shell.project / ".claude").mkdir()
    (shell.project / LOCAL).write_bytes(FOREIGN)
    shell("init")
    settings = json.loads((shell.project / LOCAL).read_text())
    assert settings["permissions"] == {"allow": ["Bash(ls)"]}
    assert settings["hooks"]["Stop"][0] == {"hooks": [{"type": "command", "command": "true"}]}
    assert len(settings["hooks"]["Stop"]) == 2


def test_init_twice_changes_nothing(shell: Shell) -> None:
    shell("init", "--profile", "strict")
    once = tree(shell.project)
    again = shell("init", "--profile", "strict")
    assert again.status == 0
    assert "nothing had to be changed" in again.stdout
    assert tree(shell.project) == once


@pytest.mark.parametrize(
    "before",
    [None, FOREIGN, b"{}", b"", b'\t{"a":\n\t1}\n\n'],
    ids=["absent", "foreign", "empty object", "empty", "odd layout"],
)
def test_uninstall_puts_back_byte_for_byte(shell: Shell, before: bytes | None) -> None:
    if before is not None:
        (shell.project / ".claude").mkdir()
        (shell.project / LOCAL).write_bytes(before)
    was = tree(shell.project)
    shell("init", "--profile", "strict")
    shell("init", "--profile", "strict")
    assert shell.edit("src/app.py")["hookSpecificOutput"]["permissionDecision"] == "deny"
    done = shell("uninstall")
    assert done.status == 0, done.stderr
    assert tree(shell.project) == was


def test_uninstall_keeps_what_was_changed_since(shell: Shell) -> None:
    shell("init", "--profile", "strict")
    path = shell.project / LOCAL
    settings = json.loads(path.read_text())
    settings["model"] = "opus"
    settings["hooks"]["Stop"].append({"hooks": [{"type": "command", "command": "mine"}]})
    path.write_text(json.dumps(settings))
    (shell.project / "holdfast.toml").write_text('profile = "full"\n')
    done = shell("uninstall")
    left = json.loads(path.read_text())
    assert left == {"model": "opus", "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]}}
    assert (shell.project / "holdfast.toml").exists()
    assert "kept" in done.stdout


def test_uninstall_can_keep_the_history(shell: Shell) -> None:
    shell("init", "--profile", "strict")
    shell.edit("src/app.py")
    shell("uninstall", "--keep-history")
    assert "PreToolUse" in shell("log").stdout
    assert not (shell.project / LOCAL).exists()


def test_uninstall_without_install_says_so(shell: Shell) -> None:
    done = shell("uninstall")
    assert (done.status, done.stdout) == (0, "Nothing was installed here.\n")


def test_broken_settings_are_never_overwritten(shell: Shell) -> None:
    (shell.project / ".claude").mkdir()
    (shell.project / LOCAL).write_text('{"hooks": ')
    done = shell("init")
    assert done.status == 1
    assert "not valid JSON" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert (shell.project / LOCAL).read_text() == '{"hooks": '


def test_shared_settings_name_the_program_only(shell: Shell) -> None:
    shell("init", "--shared")
    assert {handler["command"] for handler in our_handlers(shell, ".claude/settings.json")} == {"holdfast"}
    assert not (shell.project / LOCAL).exists()


def test_changing_the_home_of_the_hooks_leaves_them_in_one_file(shell: Shell) -> None:
    shell("init")
    shell("init", "--shared")
    assert our_handlers(shell, ".claude/settings.json")
    assert "holdfast" not in (shell.project / LOCAL).read_text()


def test_profile_does_not_override_a_configuration_that_is_there(shell: Shell) -> None:
    (shell.project / "holdfast.toml").write_text('profile = "observe"\n')
    done = shell("init", "--profile", "strict")
    assert done.status == 1
    assert "observe" in done.stderr
    assert not (shell.project / LOCAL).exists()


def test_interpreter_that_cannot_run_the_hook_is_refused(shell: Shell) -> None:
    done = shell("init", "--python", "/bin/false")
    assert done.status == 2
    assert "--python" in done.stderr


def test_init_works_without_git(shell: Shell, tmp_path: Path) -> None:
    bare = tmp_path / "no git"
    bare.mkdir()
    was = tree(bare)
    assert shell("init", folder=bare).status == 0
    assert (bare / ".holdfast").is_dir()
    assert shell("doctor", folder=bare).status == 0
    assert shell("uninstall", folder=bare).status == 0
    assert tree(bare) == was


def test_init_from_a_subfolder_wires_the_project(shell: Shell) -> None:
    assert shell("init", folder=shell.project / "src").status == 0
    assert (shell.project / LOCAL).exists()


def test_status_of_git_stays_clean(shell: Shell) -> None:
    shell("init")
    shell.hook("SessionStart", source="startup")
    from tests.support.repositories import git

    assert git(shell.project, "status", "--porcelain") == ""


def test_init_asks_on_a_terminal_and_takes_no_for_an_answer(shell: Shell) -> None:
    import pty

    answers, terminal = pty.openpty()
    os.write(answers, b"n\n")
    pid = os.fork()
    if pid == 0:
        os.chdir(shell.project)
        os.setsid()
        for handle in (0, 1, 2):
            os.dup2(terminal, handle)
        os.execve(sys.executable, [sys.executable, "-m", "holdfast", "init"], {**os.environ, "HOME": str(shell.home)})
    os.close(terminal)
    shown = b""
    while True:
        try:
            chunk = os.read(answers, 4096)
        except OSError:
            break
        if not chunk:
            break
        shown += chunk
    _, status = os.waitpid(pid, 0)
    assert b"Go ahead?" in shown
    assert os.waitstatus_to_exitcode(status) == 1
    assert not (shell.project / LOCAL).exists()


def test_what_was_added_between_two_inits_survives_uninstall(shell: Shell) -> None:
    shell("init")
    path = shell.project / LOCAL
    settings = json.loads(path.read_text())
    settings["permissions"] = {"allow": ["Bash(ls)"]}
    path.write_text(json.dumps(settings))
    shell("init", "--profile", "strict")
    shell("uninstall")
    assert json.loads(path.read_text()) == {"permissions": {"allow": ["Bash(ls)"]}}


def test_uninstall_in_a_copy_leaves_the_original_alone(shell: Shell, tmp_path: Path) -> None:
    was = tree(shell.project)
    shell("init", "--profile", "strict")
    wired = tree(shell.project)
    copy = tmp_path / "copy"
    shutil.copytree(shell.project, copy, symlinks=True)
    assert shell("uninstall", folder=copy).status == 0
    assert tree(shell.project) == wired
    assert tree(copy) == was


def test_uninstall_after_a_move_restores_where_the_project_is_now(shell: Shell, tmp_path: Path) -> None:
    was = tree(shell.project)
    shell("init", "--profile", "strict")
    moved = shell.project.rename(tmp_path / "moved")
    assert shell("uninstall", folder=moved).status == 0
    assert tree(moved) == was


def test_uninstall_from_a_worktree_leaves_no_audit_log_in_the_main_one(shell: Shell, tmp_path: Path) -> None:
    shell("init", "--profile", "strict")
    shell.edit("src/app.py")
    assert (shell.project / ".claude/.audit-log").exists()
    worktree = add_worktree(shell.project, tmp_path / "worktree", "other")
    assert shell("uninstall", folder=worktree).status == 0
    assert not (shell.project / ".claude").exists()
    assert git(shell.project, "status", "--porcelain") == ""


def test_a_settings_file_that_was_there_stays_even_if_it_is_empty_now(shell: Shell) -> None:
    (shell.project / ".claude").mkdir()
    (shell.project / LOCAL).write_bytes(FOREIGN)
    shell("init")
    (shell.project / LOCAL).write_text("{}")
    shell("uninstall")
    assert json.loads((shell.project / LOCAL).read_text()) == {}


def test_files_that_git_tracks_meanwhile_are_kept(shell: Shell) -> None:
    shell("init", "--shared", "--profile", "strict")
    git(shell.project, "add", "-f", "holdfast.toml", ".claude/settings.json")
    git(shell.project, "commit", "-qm", "share")
    done = shell("uninstall")
    assert "git tracks it" in done.stdout
    assert (shell.project / "holdfast.toml").exists()
    assert json.loads((shell.project / ".claude/settings.json").read_text()) == {}


def test_plain_init_stays_where_the_team_has_wired_it(shell: Shell) -> None:
    shell("init", "--shared")
    before = tree(shell.project)
    assert shell("init").status == 0
    assert tree(shell.project) == before
    assert shell("init", "--local").status == 0
    assert our_handlers(shell)


def test_init_that_fails_half_way_can_still_be_undone(shell: Shell) -> None:
    exclude = shell.project / ".git/info/exclude"
    (shell.project / ".claude").mkdir()
    (shell.project / LOCAL).write_bytes(FOREIGN)
    original = exclude.read_bytes()
    exclude.unlink()
    exclude.symlink_to("/proc/self/nothing/exclude")
    assert shell("init").status == 1
    exclude.unlink()
    exclude.write_bytes(original)
    was = tree(shell.project)
    assert shell("init").status == 0
    assert shell("uninstall").status == 0
    assert (shell.project / LOCAL).read_bytes() == FOREIGN
    assert was[LOCAL] != FOREIGN, "the first init had wired it"


def test_modes_that_are_set_by_hand_survive_init(shell: Shell) -> None:
    (shell.project / "pyproject.toml").write_text('[tool.holdfast.policy.edit-on-main]\nmode = "off"\n')
    done = shell("init", "--profile", "strict")
    assert "commit-on-main" in done.stdout
    assert "edit-on-main" not in done.stdout
    assert shell("doctor").status == 0


def test_the_profile_that_init_wrote_can_be_changed_by_init(shell: Shell) -> None:
    shell("init", "--profile", "observe")
    assert shell("init", "--profile", "strict").status == 0
    assert (shell.project / "holdfast.toml").read_text() == 'profile = "strict"\n'
    assert shell.edit("src/app.py")["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_every_event_wired_keeps_the_gates_closed(shell: Shell) -> None:
    shell("init", "--all-events", "--profile", "strict")
    groups = json.loads((shell.project / LOCAL).read_text())["hooks"]["PreToolUse"]
    assert groups[0]["hooks"][0]["onFailure"] == "block"
    assert groups[1]["matcher"] == "^(?!(Bash|Edit|MultiEdit|NotebookEdit|PowerShell|Write)$)"
    assert shell("doctor").status == 0


@pytest.mark.parametrize("record", ["[]", "{}", '{"files": {"x": 3}}', "garbage", '{"files": []}'])
def test_a_damaged_record_stops_neither_init_nor_uninstall(shell: Shell, record: str) -> None:
    shell("init")
    (shell.project / ".git/holdfast/install.json").write_text(record)
    assert shell("init").status == 0
    assert shell("uninstall").status == 0
    assert not (shell.project / ".git/holdfast").exists()
    assert "holdfast" not in (shell.project / LOCAL).read_text()


def test_a_package_that_is_gone_says_what_to_do(shell: Shell) -> None:
    shell("init")
    handler = our_handlers(shell)[0]
    arguments = [*handler["args"]]  # type: ignore[misc]
    arguments[4] = "/nowhere"
    done = subprocess.run([str(handler["command"]), *arguments], input=b"{}", capture_output=True, check=False)
    assert done.returncode == 1
    assert done.stdout == b""
    assert b"Holdfast is not in /nowhere any more. Install it" in done.stderr
    assert len(done.stderr.splitlines()) == 1
