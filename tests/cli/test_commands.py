"""The other commands: what they print, as text and as JSON, and how they end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from holdfast.policies.catalog import CATALOG

from .conftest import Shell


@pytest.fixture
def used(shell: Shell) -> Shell:
    """A project in which an edit was refused and a command failed."""
    shell("init", "--profile", "strict")
    shell.hook("SessionStart", source="startup")
    shell.edit("src/app.py")
    shell.hook(
        "PostToolUseFailure", tool_name="Bash", tool_input={"command": "make"}, tool_use_id="t2", error="Exit code 2\nno"
    )
    shell.hook("Stop", last_assistant_message="Done.")
    return shell


def test_log_shows_what_happened(used: Shell) -> None:
    text = used("log").stdout
    for part in ("SessionStart", "PreToolUse", "Edit", "deny", "src/app.py", "PostToolUseFailure", "make"):
        assert part in text


def test_log_filters(used: Shell) -> None:
    lines = used("log", "--decision", "deny").stdout.splitlines()
    assert len(lines) == 2
    assert "No such events" in used("log", "--session", "other").stdout
    assert len(used("log", "--policy", "edit-on-main").stdout.splitlines()) == 2
    assert len(used("log", "-n", "1").stdout.splitlines()) == 2


def test_log_as_json_can_be_replayed(used: Shell, tmp_path: Path) -> None:
    lines = used("log", "--json").stdout
    recorded = [json.loads(line) for line in lines.splitlines()]
    assert [one["decision"] for one in recorded] == ["note", "deny", "nothing", "note"]
    file = tmp_path / "events.jsonl"
    file.write_text(lines)
    count = len(used("log", "--json").stdout.splitlines())
    done = used("replay", str(file), "--json")
    assert done.status == 1, "something was refused"
    assert [one["decision"] for one in done.json][:3] == ["note", "deny", "nothing"]
    assert len(used("log", "--json").stdout.splitlines()) == count, "nothing was recorded"


def test_replay_takes_one_payload_a_list_or_lines(used: Shell, tmp_path: Path) -> None:
    payload = {"hook_event_name": "Stop", "session_id": "x", "cwd": str(used.project)}
    for text in (json.dumps(payload), json.dumps([payload]), json.dumps(payload) + "\n" + json.dumps(payload)):
        file = tmp_path / "payloads"
        file.write_text(text)
        assert used("replay", str(file)).status == 0


@pytest.mark.parametrize("text", ["", "not json", "[1, 2]", '{"a": 1}\nnot json'])
def test_replay_of_anything_else_says_what_it_wants(used: Shell, tmp_path: Path, text: str) -> None:
    file = tmp_path / "payloads"
    file.write_text(text)
    done = used("replay", str(file))
    assert done.status in (0, 2)
    if done.status == 2:
        assert len(done.stderr.splitlines()) == 1


def test_explain_last_shows_the_latest_ruling_policy_by_policy(used: Shell) -> None:
    text = used("explain", "2").stdout
    for part in (
        "PreToolUse",
        "deny",
        "edit-on-main (enforce)",
        "the branch main is checked out",
        "git switch -c NAME",
        "branch='main'",
    ):
        assert part in text
    assert used("explain").stdout == text, "the last decision, not the note after it"
    assert used("explain", "last", "--json").json["rulings"][0]["policy"] == "edit-on-main"
    assert "session-summary" in used("explain", "4").stdout


@pytest.mark.parametrize(("arguments", "status"), [(("explain", "999"), 1), (("explain", "abc"), 2)])
def test_explain_of_an_unknown_event_has_a_remedy(used: Shell, arguments: tuple[str, ...], status: int) -> None:
    done = used(*arguments)
    assert done.status == status
    assert "holdfast log" in done.stderr


def test_explain_before_anything_happened(shell: Shell) -> None:
    done = shell("explain")
    assert done.status == 1
    assert "holdfast init" in done.stderr


def test_status_shows_wiring_modes_and_refusals(used: Shell) -> None:
    text = used("status").stdout
    for part in (
        "branch main",
        "PreToolUse",
        "strict",
        "enforce",
        "edit-on-main",
        "1 refusal",
        "the branch main is checked out",
    ):
        assert part in text
    found = used("status", "--json").json
    assert found["policies"]["edit-on-main"] == "enforce"
    assert found["session"]["tally"]["failed_commands"] == 1


def test_status_before_init_says_what_to_do(shell: Shell) -> None:
    assert "run holdfast init" in shell("status").stdout


def test_policy_list_and_show(shell: Shell) -> None:
    assert "edit-on-main" in shell("policy", "list").stdout
    modes = {one["id"]: one["mode"] for one in shell("policy", "list", "--json").json}
    assert set(modes) == {entry.id for entry in CATALOG}
    assert (modes["edit-on-main"], modes["session-brief"], modes["tampering"]) == ("off", "enforce", "enforce")
    page = shell("policy", "show", "edit-on-main").stdout
    assert "Known limits" in page
    assert "branches" in page
    done = shell("policy", "show", "edit-on-man")
    assert done.status == 2
    assert "Did you mean 'edit-on-main'" in done.stderr


def test_config_show_says_where_each_value_came_from(shell: Shell) -> None:
    (shell.project / "holdfast.toml").write_text('[policy.edit-on-main]\nmode = "warn"\n')
    (shell.project / "pyproject.toml").write_text(
        '[tool.holdfast]\nprofile = "strict"\n[tool.holdfast.policy.edit-on-main]\nmode = "off"\n'
    )
    user = shell.home / ".config/holdfast/config.toml"
    user.parent.mkdir(parents=True)
    user.write_text('profile = "full"\nretention_days = 7\n')
    rows = {one["key"]: (one["value"], one["origin"]) for one in shell("config", "show", "--json").json}
    assert rows["policy.edit-on-main.mode"] == ("warn", "holdfast.toml")
    assert rows["profile"] == ("strict", "pyproject.toml")
    assert rows["retention_days"][0] == 7
    assert rows["retention_days"][1].endswith("config.toml")
    assert rows["max_events"] == (100_000, "default")
    assert rows["policy.session-brief.mode"] == ("enforce", "profile strict")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('profil = "strict"\n', "did you mean 'profile'"),
        ('profile = "strickt"\n', "did you mean 'strict'"),
        ("\n[policy.edit-on-mian]\nmode = 'off'\n", "did you mean 'edit-on-main'"),
        ("[policy.edit-on-main]\nbranchs = ['main']\n", "did you mean 'branches'"),
        ("[policy.edit-on-main]\nbranches = 'main'\n", "a list of texts"),
        ("[policy.edit-on-main]\nmode = 'enforced'\n", "did you mean 'enforce'"),
        ("retention_days = -1\n", "0 or more"),
        ("profile = \n", "cannot be read"),
    ],
)
def test_config_check_names_file_line_and_remedy(shell: Shell, text: str, said: str) -> None:
    (shell.project / "holdfast.toml").write_text(text)
    done = shell("config", "check")
    assert done.status == 1
    assert said in done.stdout
    assert "holdfast.toml" in done.stdout
    assert len(shell("config", "check", "--json").json) == 1


def test_config_check_gives_the_line(shell: Shell) -> None:
    (shell.project / "holdfast.toml").write_text('profile = "strict"\n\n[policy.edit-on-main]\nbranchs = ["main"]\n')
    assert shell("config", "check", "--json").json[0]["line"] == 4


def test_config_check_is_content_without_a_file(shell: Shell) -> None:
    assert shell("config", "check").status == 0


def test_demo_plays_a_whole_session(shell: Shell) -> None:
    done = shell("demo")
    assert done.status == 0, done.stdout + done.stderr
    for part in ("the agent gets a brief", "deny", "git switch -c NAME", "1 file edited", "edit-on-main (enforce)"):
        assert part in done.stdout
    steps = shell("demo", "--json").json
    assert all(step["decision"] == step["expected"] for step in steps)
    assert {step["decision"] for step in steps} == {"note", "deny", "nothing"}


@pytest.mark.parametrize("arguments", [("nonsense",), ("init", "--nonsense"), ("log", "-n", "0"), ("policy", "show")])
def test_wrong_usage_ends_with_2_and_one_line(shell: Shell, arguments: tuple[str, ...]) -> None:
    done = shell(*arguments)
    assert done.status == 2
    assert len(done.stderr.splitlines()) == 1
    assert "--help" in done.stderr


def test_bug_ends_with_3_and_shows_its_place_on_request(shell: Shell, tmp_path: Path) -> None:
    """A store whose tables are gone is something that no command expects."""
    import sqlite3

    shell("init")
    shell.hook("Stop")
    connection = sqlite3.connect(shell.project / ".git/holdfast/holdfast.db")
    connection.execute("DROP TABLE event")
    connection.close()
    done = shell("log")
    assert done.status == 3
    assert len(done.stderr.splitlines()) == 1
    assert "Traceback" in shell("log", "--traceback").stderr


def test_help_lists_the_commands_and_not_the_hook(shell: Shell) -> None:
    text = shell("--help").stdout
    assert all(name in text for name in ("init", "doctor", "explain", "demo", "uninstall"))
    assert "hook " not in text.replace("hooks", "")


def test_version(shell: Shell) -> None:
    from holdfast import __version__

    assert __version__ in shell("--version").stdout


def test_hook_never_ends_with_2_by_accident(shell: Shell) -> None:
    for arguments in (("hook",), ("hook", "--help"), ("hook", "PreToolUse", "--nonsense", "x"), ("hook", "-1")):
        done = shell(*arguments, stdin="garbage")
        assert done.status == 0, arguments


def test_generated_pages_are_current(shell: Shell) -> None:
    done = shell("dev", "generate", "--check")
    assert done.status == 0, done.stderr


@pytest.mark.parametrize("number", ["²", "9" * 30, "-1", "1.5"])
def test_explain_takes_plain_numbers_only(used: Shell, number: str) -> None:
    assert used("explain", "--", number).status == 2


def test_bare_command_prints_the_help(shell: Shell) -> None:
    done = shell()
    assert done.status == 0
    assert len(done.stdout.splitlines()) > 10
    assert shell("config").status == 2


def test_broken_configuration_is_shown_as_the_hook_has_it(used: Shell) -> None:
    (used.project / "holdfast.toml").write_text("profile = ")
    assert "strict" in used("status").stdout
    assert used.edit("src/app.py", 9)["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert used("status", "--json").json["profile"] == "strict"


def test_what_the_terminal_cannot_show_is_escaped(used: Shell) -> None:
    used.hook("UserPromptSubmit", prompt="\ud800 日本")
    assert used("log", PYTHONIOENCODING="ascii").status == 0
    assert used("log", "--json").status == 0
    assert used("explain", "2", PYTHONIOENCODING="ascii").status == 0


def test_nowhere_to_write_is_no_bug(used: Shell) -> None:
    import subprocess
    import sys

    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "holdfast", "status"]
        done = subprocess.run(command, cwd=used.project, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode in (1, 120)
    assert "bug" not in done.stderr


def test_a_worktree_has_the_settings_and_the_wiring_of_the_main_one(used: Shell, tmp_path: Path) -> None:
    from tests.support.repositories import add_worktree

    worktree = add_worktree(used.project, tmp_path / "worktree", "other")
    assert used("status", "--json", folder=worktree).json["policies"]["edit-on-main"] == "enforce"
    assert used("doctor", folder=worktree).status == 0


def test_explain_draws_a_command(shell: Shell) -> None:
    text = shell("explain", "--command", "git push --force origin main && pytest | tail").stdout
    for part in (
        "pushes: git push",
        "only the last command of a pipe",
        "force-push (enforce)",
        "overwrites the branch main",
    ):
        assert part in text
    found = shell("explain", "--command", "ls -la", "--json").json
    assert (found["decision"], found["tier"], found["commit"]) == ("allow", "safe", False)


def test_classify_reads_lines_and_names_the_one_that_is_wrong(shell: Shell) -> None:
    done = shell("classify", stdin='{"command": "git commit -m x"}\n{"command": "echo \'open"}\n')
    first, second = map(json.loads, done.stdout.splitlines())
    assert (first["decision"], first["commit"]) == ("none", True)
    assert (second["decision"], second["tier"]) == ("none", "opaque")
    wrong = shell("classify", stdin="nonsense\n")
    assert wrong.status == 2
    assert "line 1" in wrong.stderr
