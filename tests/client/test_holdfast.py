"""Holdfast in the real client: what the model received, what is on disk, what was recorded."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from holdfast.hosts.claude_code_wiring import our_handlers
from tests.support.configurations import NOTHING_ENFORCED

from .claude_client import ClientRun, run_client
from .projects import SOURCE, Project, package_with
from .scripted_model import ScriptedModel, Turn, say, use

pytestmark = pytest.mark.usefixtures("claude")

REPOSITORY = Path(__file__).resolve().parents[2]
REPAIRED = SOURCE.replace("41", "42")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "project", tmp_path / "home")


def repair(project: Project, **more: object) -> Turn:
    """The model reads the source and repairs it in one turn."""
    path = str(project.folder / "src" / "answer.py")
    return [use("Edit", file_path=path, old_string="41", new_string="42", **more)]


def read_first(project: Project) -> Turn:
    return [use("Read", file_path=str(project.folder / "src" / "answer.py"))]


def run(project: Project, model: ScriptedModel, *args: str) -> ClientRun:
    done = run_client(project.folder, "Repair the answer.", model, args=args, home=project.home)
    assert done.exit_code == 0, done.stderr
    return done


def test_brief_arrives_at_session_start(project: Project) -> None:
    project.holdfast("init", "--yes", "--profile", "strict")
    with ScriptedModel([[say("Hello.")]]) as model:
        run(project, model)
    assert model.saw("Git: branch main, 1 uncommitted file (1 untracked).")
    assert model.saw("Enforced (profile strict): ")
    assert model.saw("edit-on-main – source edits are refused while main or master is checked out")


def test_denied_edit_is_not_written_and_the_reason_arrives(project: Project) -> None:
    project.holdfast("init", "--yes", "--profile", "strict")
    with ScriptedModel([read_first(project), repair(project), [say("I see.")]]) as model:
        run(project, model)
    assert project.source == SOURCE
    refused = [result for result in model.tool_results() if result.is_error]
    assert len(refused) == 1
    assert "src/answer.py is source, and the branch main is checked out." in refused[0].text
    assert "git switch -c NAME" in refused[0].text
    assert project.events("PreToolUse") == [("Edit", str(project.folder / "src/answer.py"), "deny")]
    assert project.events("PostToolUse") == []


def test_permitted_edit_is_written(project: Project) -> None:
    project.holdfast("init", "--yes", "--profile", "strict")
    project.git("switch", "-q", "-c", "fix")
    with ScriptedModel([read_first(project), repair(project), [say("Done.")]]) as model:
        run(project, model)
    assert project.source == REPAIRED
    assert not any(result.is_error for result in model.tool_results())
    assert [row[2] for row in project.events("PreToolUse")] == ["nothing"]
    assert len(project.events("PostToolUse")) == 1


def test_agent_goes_on_after_a_refusal(project: Project) -> None:
    project.holdfast("init", "--yes", "--profile", "strict")
    switch: Turn = [use("Bash", command="git switch -q -c fix")]
    script = [read_first(project), repair(project), switch, repair(project), [say("Done.")]]
    with ScriptedModel(script) as model:
        run(project, model, "--allowedTools", "Bash")
    assert project.source == REPAIRED
    assert [row[2] for row in project.events("PreToolUse") if row[0] == "Edit"] == ["deny", "nothing"]


def test_edit_on_main_passes_in_the_standard_profile(project: Project) -> None:
    project.holdfast("init", "--yes")
    with ScriptedModel([read_first(project), repair(project), [say("Done.")]]) as model:
        run(project, model)
    assert project.source == REPAIRED


def test_error_inside_a_gate_refuses_and_says_how_to_go_on(project: Project, tmp_path: Path) -> None:
    original = Path(sys.modules["holdfast"].__file__ or "").parent / "policies" / "edit_on_main.py"
    broken = original.read_text().replace("    refused: list[str] = []", "    raise RuntimeError('planted')")
    package = package_with(tmp_path / "package", "policies/edit_on_main.py", broken)
    project.git("switch", "-q", "-c", "fix")
    project.holdfast("init", "--yes", "--profile", "strict")
    _use_package(project, package)
    with ScriptedModel([read_first(project), repair(project), [say("I see.")]]) as model:
        done = run(project, model)
    assert project.source == SOURCE
    assert model.saw("Holdfast's policy edit-on-main failed (RuntimeError: planted)")
    assert model.saw('set `mode = "off"` under [policy.edit-on-main]')
    errors = project.rows("SELECT policy, error FROM ruling WHERE error <> ''")
    assert errors == [("edit-on-main", "RuntimeError: planted")]
    assert any("1 refusal" in text for text in done.messages_to_person()), "the other policies still rule"


def _use_package(project: Project, package: Path) -> None:
    """Point the installed hooks at another copy of the package."""
    path = project.folder / ".claude" / "settings.local.json"
    settings = json.loads(path.read_text())
    for _event, _matcher, handler in our_handlers(settings):
        handler["args"][4] = str(package)
    path.write_text(json.dumps(settings))


def _use_program(project: Project, program: str) -> None:
    path = project.folder / ".claude" / "settings.local.json"
    settings = json.loads(path.read_text())
    for _event, _matcher, handler in our_handlers(settings):
        handler["command"] = program
    path.write_text(json.dumps(settings))


def test_missing_interpreter_closes_the_gate_and_opens_the_rest(project: Project) -> None:
    project.holdfast("init", "--yes", "--profile", "strict")
    project.git("switch", "-q", "-c", "fix")
    _use_program(project, "/nowhere/python3")
    turn: Turn = [use("Bash", command="echo it still runs")]
    with ScriptedModel([read_first(project), repair(project), turn, [say("I see.")]]) as model:
        run(project, model)
    assert project.source == SOURCE
    assert model.saw("/nowhere/python3")
    assert model.saw("it still runs")
    report = project.holdfast("doctor", check=False)
    assert "/nowhere/python3 is missing or was moved" in report
    assert "holdfast init" in report


def test_missing_package_does_not_refuse_where_nothing_is_enforced(project: Project) -> None:
    """Python exits with 2 for a missing script, which would refuse every call; our form must not."""
    (project.folder / "holdfast.toml").write_text(NOTHING_ENFORCED)
    project.holdfast("init", "--yes")
    _use_package(project, Path("/nowhere"))
    with ScriptedModel([read_first(project), repair(project), [say("Done.")]]) as model:
        run(project, model)
    assert project.source == REPAIRED


def test_three_tools_at_once_are_all_recorded(project: Project) -> None:
    project.holdfast("init", "--yes")
    turn: Turn = [use("Bash", command=f"echo number {number}") for number in (1, 2, 3)]
    with ScriptedModel([turn, [say("Done.")]]) as model:
        run(project, model)
    assert all(model.saw(f"number {number}") for number in (1, 2, 3))
    assert sorted(row[1] for row in project.events("PostToolUse")) == [f"echo number {number}" for number in (1, 2, 3)]
    tally = json.loads(project.rows("SELECT tally FROM session")[0][0])
    assert tally["commands"] == 3


def test_failing_command_is_recorded_from_its_failure_event(project: Project) -> None:
    project.holdfast("init", "--yes")
    with ScriptedModel([[use("Bash", command="echo out; exit 3")], [say("It failed.")]]) as model:
        done = run(project, model, "--allowedTools", "Bash")
    assert project.events("PostToolUse") == []
    assert project.events("PostToolUseFailure") == [("Bash", "echo out; exit 3", "nothing")]
    tally = json.loads(project.rows("SELECT tally FROM session")[0][0])
    assert (tally["commands"], tally["failed_commands"]) == (1, 1)
    assert any("1 command (1 failed)" in text for text in done.messages_to_person())


def test_edit_of_a_subagent_is_denied(project: Project) -> None:
    project.holdfast("init", "--yes", "--profile", "strict")
    ask = use(
        "Agent", description="repair", prompt="SUBMARK repair it", subagent_type="general-purpose", run_in_background=False
    )
    scripts = {
        "main": [[ask], [say("The subagent reports.")]],
        "SUBMARK": [read_first(project), repair(project), [say("I was refused.")]],
    }
    with ScriptedModel(scripts) as model:
        run(project, model)
    assert project.source == SOURCE
    seen_by_subagent = json.dumps(model.conversation("SUBMARK"))
    assert "src/answer.py is source, and the branch main is checked out." in seen_by_subagent
    agents = project.rows("SELECT agent <> '', decision FROM event WHERE name = 'PreToolUse'")
    assert agents == [(1, "deny")]


def test_stop_note_reaches_the_person_and_not_the_model(project: Project) -> None:
    project.holdfast("init", "--yes")
    project.git("switch", "-q", "-c", "fix")
    with ScriptedModel([read_first(project), repair(project), [say("Done.")]]) as model:
        done = run(project, model)
    told = [text for text in done.messages_to_person() if "session-summary" in text]
    assert told == ["Holdfast (session-summary): 1 file edited (src/answer.py); branch fix."]
    assert not model.saw("session-summary")
    assert done.result == "Done."


def test_settings_and_plugin_at_once_count_once(project: Project) -> None:
    project.holdfast("init", "--yes", "--profile", "strict")
    turn: Turn = [use("Bash", command="echo once")]
    with ScriptedModel([read_first(project), repair(project), turn, [say("I see.")]]) as model:
        done = run(project, model, "--plugin-dir", str(REPOSITORY))
    assert project.source == SOURCE
    assert project.events("PostToolUse") == [("Bash", "echo once", "nothing")]
    assert [row[0] for row in project.events("PreToolUse")] == ["Edit", "Bash"]
    assert len(project.events("SessionStart")) == 1
    assert len(project.events("Stop")) == 1
    origins = project.rows("SELECT name, count(*) FROM delivery JOIN event ON event.id = delivery.event GROUP BY event.id")
    assert ("PostToolUse", 2) in origins
    briefs = [text for text in model.texts() if "Git: branch main" in text]
    assert sum(text.count("Git: branch main") for text in set(briefs)) == 1
    assert sum("session-summary" in text for text in done.messages_to_person()) == 1


def test_plugin_alone_works(project: Project) -> None:
    (project.folder / "holdfast.toml").write_text('profile = "strict"\n')
    with ScriptedModel([read_first(project), repair(project), [say("I see.")]]) as model:
        run(project, model, "--plugin-dir", str(REPOSITORY))
    assert project.source == SOURCE
    assert model.saw("the branch main is checked out")


def test_shared_settings_find_holdfast_through_path(project: Project) -> None:
    project.holdfast("init", "--yes", "--shared", "--profile", "strict")
    assert '"command": "holdfast"' in (project.folder / ".claude" / "settings.json").read_text()
    with ScriptedModel([read_first(project), repair(project), [say("I see.")]]) as model:
        run(project, model)
    assert project.source == SOURCE
    assert model.saw("the branch main is checked out")


def test_uninstall_leaves_no_trace(project: Project) -> None:
    settings = project.folder / ".claude" / "settings.local.json"
    settings.parent.mkdir()
    settings.write_bytes(b'{ "permissions": {"allow": ["Read"]},\n\t"hooks": {"Stop": []} }')
    before = project.files()
    project.holdfast("init", "--yes", "--profile", "strict")
    with ScriptedModel([read_first(project), repair(project), [say("I see.")]]) as model:
        run(project, model)
    assert (project.folder / ".claude" / ".audit-log").exists()
    project.holdfast("uninstall")
    assert project.files() == before
    with ScriptedModel([read_first(project), repair(project), [say("Done.")]]) as model:
        run(project, model)
    assert project.source == REPAIRED
    assert not model.saw("Holdfast")


def test_every_event_can_be_wired(project: Project) -> None:
    project.holdfast("init", "--yes", "--all-events")
    project.git("switch", "-q", "-c", "fix")
    ask = use("Agent", description="look", prompt="SUBMARK look", subagent_type="general-purpose", run_in_background=False)
    scripts = {"main": [read_first(project), repair(project), [ask], [say("Done.")]], "SUBMARK": [[say("Seen.")]]}
    with ScriptedModel(scripts) as model:
        run(project, model)
    assert project.source == REPAIRED
    seen = {name for (name,) in project.rows("SELECT DISTINCT name FROM event")}
    always = {"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolBatch", "Stop", "SessionEnd"}
    assert always | {"SubagentStart", "SubagentStop"} <= seen
    assert project.rows("SELECT count(*) FROM event WHERE name = 'PreToolUse' AND tool = 'Read'") == [(1,)]


def test_tools_that_no_policy_cares_about_start_no_process(project: Project) -> None:
    project.holdfast("init", "--yes")
    with ScriptedModel([read_first(project), [say("Seen.")]]) as model:
        run(project, model)
    assert project.rows("SELECT DISTINCT name FROM event ORDER BY name") == [
        ("SessionEnd",), ("SessionStart",), ("Stop",), ("UserPromptSubmit",),
    ]  # fmt: skip


def test_project_path_with_spaces_quotes_and_other_scripts(tmp_path: Path) -> None:
    project = Project(tmp_path / 'it\'s a "project" é 日本', tmp_path / "home")
    project.holdfast("init", "--yes", "--profile", "strict")
    with ScriptedModel([read_first(project), repair(project), [say("I see.")]]) as model:
        run(project, model)
    assert project.source == SOURCE
    assert model.saw("the branch main is checked out")


def test_denied_command_does_not_run_and_the_reason_arrives(project: Project) -> None:
    project.holdfast("init", "--yes", "--profile", "strict")
    project.git("switch", "-q", "-c", "fix")
    (project.folder / "precious.txt").write_text("work")
    project.git("add", ".")
    with ScriptedModel([[use("Bash", command="git reset --hard && touch ran")], [say("I see.")]]) as model:
        run(project, model, "--allowedTools", "Bash")
    assert (project.folder / "precious.txt").exists()
    assert not (project.folder / "ran").exists()
    assert model.saw("throws work away (reset --hard)")
    assert [row[2] for row in project.events("PreToolUse")] == ["deny"]


def test_plainly_safe_command_runs_where_the_host_would_ask(project: Project) -> None:
    """Without a person to ask, the host refuses what is not approved: what ran was approved by Holdfast."""
    (project.folder / "Makefile").write_text("test:\n\t@touch tested\n")
    turn: Turn = [use("Bash", command="make test")]
    with ScriptedModel([turn, [say("Done.")]]) as model:
        run_client(project.folder, "Run the tests.", model, home=project.home, permission_mode="default")
    assert not (project.folder / "tested").exists(), "the host alone refuses it"
    project.holdfast("init", "--yes")
    with ScriptedModel([turn, [say("Done.")]]) as model:
        run_client(project.folder, "Run the tests.", model, home=project.home, permission_mode="default")
    assert (project.folder / "tested").exists()
    assert [row[2] for row in project.events("PreToolUse")] == ["allow"]


def test_command_that_is_not_understood_is_left_to_the_host(project: Project) -> None:
    project.holdfast("init", "--yes")
    with ScriptedModel([[use("Bash", command="$RUNNER && touch ran")], [say("I see.")]]) as model:
        run_client(project.folder, "Run it.", model, home=project.home, permission_mode="default")
    assert not (project.folder / "ran").exists()
    assert [row[2] for row in project.events("PreToolUse")] == ["nothing"]


def test_masked_test_run_is_told_to_the_model(project: Project) -> None:
    project.holdfast("init", "--yes")
    with ScriptedModel(
        [[use("Bash", command="pytest --version || true")], [use("Bash", command="pytest -q || true")], [say("I see.")]]
    ) as model:
        run(project, model, "--allowedTools", "Bash")
    assert model.saw("Whether `pytest -q` passes cannot be seen")
    assert not model.saw("Whether `pytest --version`")


def test_rewritten_command_is_what_runs_and_the_model_is_told(project: Project) -> None:
    project.holdfast("init", "--yes", "--profile", "strict")
    project.git("switch", "-q", "-c", "fix")
    outside = Path(f"/tmp/holdfast-rewritten-{project.folder.parent.name}")
    turn: Turn = [use("Bash", command=f"echo written > {outside}", description="write it")]
    with ScriptedModel([turn, [say("Done.")]]) as model:
        run(project, model, "--allowedTools", "Bash")
    assert not outside.exists()
    assert (project.folder / "tmp" / outside.name).read_text() == "written\n"
    assert model.saw("Temporary files go into the project's own tmp/")
    assert [row[2] for row in project.events("PreToolUse")] == ["rewrite"]
