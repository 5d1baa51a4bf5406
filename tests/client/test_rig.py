"""The rig itself: what a script says reaches the client, what hooks say comes back.

The hooks are a few lines each and know nothing of the package, so a failure here means
that the rig or the client changed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from .claude_client import BINARY_VARIABLE, ClientTimeout, find_or_install, run_client
from .conftest import REQUIRE_VARIABLE
from .scripted_model import ScriptedModel, ToolResult, Turn, say, use

needs_client = pytest.mark.usefixtures("claude")


def _answering_hook(folder: Path, answer: dict[str, Any], **options: Any) -> dict[str, Any]:
    """A command hook in exec form, a script that prints one fixed answer."""
    script = folder / "hook.py"
    script.write_text(f"import sys\nsys.stdin.read()\nprint({json.dumps(answer)!r})\n")
    command = {"type": "command", "command": sys.executable, "args": [str(script)]}
    return {"hooks": [command], **options}


def _settings_with(project: Path, event: str, hook: dict[str, Any]) -> None:
    settings = project / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text(json.dumps({"hooks": {event: [hook]}}))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """An empty folder for the client to work in."""
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@needs_client
def test_text_turn_becomes_the_result(project: Path) -> None:
    with ScriptedModel([[say("Good morning. ☀")]]) as model:
        run = run_client(project, "Say good morning.", model)
    assert run.exit_code == 0, run.stderr
    assert run.result == "Good morning. ☀"
    assert model.saw("Say good morning.")
    assert "Say good morning." in model.texts()


@needs_client
def test_bash_result_arrives_at_the_model(project: Path) -> None:
    with ScriptedModel([[use("Bash", command="echo from-$((40 + 2))")]]) as model:
        run = run_client(project, "go", model, args=["--allowedTools", "Bash"])
    assert run.result == "done"
    assert model.tool_results() == [ToolResult("toolu_main_0_0", False, "from-42")]


@needs_client
def test_permitted_write_is_on_disk(project: Path) -> None:
    target = project / "note.txt"
    with ScriptedModel([[use("Write", file_path=str(target), content="ünï\n")]]) as model:
        run_client(project, "go", model)
    assert target.read_text(encoding="utf-8") == "ünï\n"


@needs_client
def test_three_calls_in_one_turn_all_have_results(project: Path) -> None:
    calls = [use("Bash", command=f"echo call-{number}") for number in range(3)]
    with ScriptedModel([[say("Three at once."), *calls], [say("all done")]]) as model:
        run = run_client(project, "go", model)
    assert run.result == "all done"
    expected = [ToolResult(f"toolu_main_0_{n + 1}", False, f"call-{n}") for n in range(3)]
    assert sorted(model.tool_results()) == expected
    assert len(model.conversation()) == 2


@needs_client
def test_subagent_plays_its_own_script(project: Path) -> None:
    delegate = use(
        "Agent",
        description="delegate",
        prompt="MARKER-A: look around",
        subagent_type="general-purpose",
        run_in_background=False,
    )
    scripts = {
        "main": [[delegate], [say("main ends")]],
        "MARKER-A": [[use("Bash", command="echo inside")], [say("report of the subagent")]],
    }
    with ScriptedModel(scripts) as model:
        run = run_client(project, "go", model)
    assert run.result == "main ends"
    inner, outer = model.tool_results()
    assert inner == ToolResult("toolu_MARKER_A_0_0", False, "inside")
    assert outer.tool_use_id == "toolu_main_0_0"
    assert "report of the subagent" in outer.text
    assert len(model.conversation("MARKER-A")) == 2


@needs_client
def test_turn_can_be_computed_from_the_request(project: Path) -> None:
    script: list[Turn] = [
        [use("Bash", command="echo 42")],
        lambda request: [say(f"result: {request['messages'][-1]['content'][0]['content']}")],
    ]
    with ScriptedModel(script) as model:
        run = run_client(project, "go", model)
    assert run.result == "result: 42"


@needs_client
def test_denial_by_a_hook_reaches_the_model_and_prevents_the_write(project: Path) -> None:
    answer = {
        "hookEventName": "PreToolUse",
        "permissionDecision": "deny",
        "permissionDecisionReason": "no writing on Sundays",
    }
    hook = _answering_hook(project.parent, {"hookSpecificOutput": answer}, matcher="Write")
    _settings_with(project, "PreToolUse", hook)
    target = project / "note.txt"
    with ScriptedModel([[use("Write", file_path=str(target), content="x")]]) as model:
        run_client(project, "go", model)
    (result,) = model.tool_results()
    assert result.is_error
    assert "no writing on Sundays" in result.text
    assert not target.exists()


@needs_client
def test_system_message_of_a_stop_hook_is_shown_to_the_person_only(project: Path) -> None:
    hook = _answering_hook(project.parent, {"systemMessage": "two lines\nfor the person"})
    _settings_with(project, "Stop", hook)
    with ScriptedModel([[say("bye")]]) as model:
        run = run_client(project, "go", model)
    assert run.messages_to_person() == ["two lines\nfor the person"]
    assert not model.saw("for the person")


@needs_client
def test_context_of_a_session_start_hook_reaches_the_model(project: Path) -> None:
    answer = {"hookEventName": "SessionStart", "additionalContext": 'the "secret" word\nis ☂'}
    hook = _answering_hook(project.parent, {"hookSpecificOutput": answer})
    _settings_with(project, "SessionStart", hook)
    with ScriptedModel([[say("bye")]]) as model:
        run_client(project, "go", model)
    assert model.saw('the "secret" word\nis ☂')


@needs_client
def test_hook_given_on_the_command_line_runs_with_git_at_hand(project: Path) -> None:
    command = "git --version > git.txt; env > env.txt"
    hook = {"hooks": [{"type": "command", "command": command}]}
    with ScriptedModel([[say("bye")]]) as model:
        extra = {"RIG_EXTRA": "given"}
        run_client(project, "go", model, settings={"hooks": {"Stop": [hook]}}, env=extra)
    assert (project / "git.txt").read_text().startswith("git version")
    variables = dict(x.split("=", 1) for x in (project / "env.txt").read_text().splitlines())
    assert variables["RIG_EXTRA"] == "given"
    assert variables["HOME"] != os.environ.get("HOME")


@needs_client
def test_client_that_does_not_end_is_killed_with_its_hook(project: Path) -> None:
    hook = {"type": "command", "command": "echo $$ > pid; exec sleep 600"}
    _settings_with(project, "UserPromptSubmit", {"hooks": [hook]})
    with ScriptedModel() as model, pytest.raises(ClientTimeout):
        # Long enough for the hook to start on a busy machine; it would run far longer.
        run_client(project, "go", model, timeout=5)
    with pytest.raises(ProcessLookupError):
        os.kill(int((project / "pid").read_text()), 0)


@pytest.mark.parametrize(("required", "outcome"), [("", "1 skipped"), ("1", "1 error")])
def test_missing_client_skips_unless_it_is_required(required: str, outcome: str) -> None:
    test = f"{__file__}::{test_text_turn_becomes_the_result.__name__}"
    env = {**os.environ, BINARY_VARIABLE: "/nonexistent/claude", REQUIRE_VARIABLE: required}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-rs", "-p", "no:cacheprovider", test],
        env=env,
        capture_output=True,
        text=True,
    )
    assert outcome in done.stdout
    assert "/nonexistent/claude does not run" in done.stdout


def test_client_is_found_or_a_reason_is_given() -> None:
    binary, reason = find_or_install()
    assert (binary is None) == bool(reason)


def _ask(url: str, body: dict[str, Any]) -> dict[str, Any]:
    request = urllib.request.Request(url, json.dumps(body).encode())
    with urllib.request.urlopen(request) as response:
        answer: dict[str, Any] = json.load(response)
    return answer


def _body(*contents: str) -> dict[str, Any]:
    roles = ("user", "assistant")
    messages = [{"role": roles[n % 2], "content": text} for n, text in enumerate(contents)]
    return {"messages": messages, "tools": [{"name": "Bash"}]}


def test_turn_depends_on_the_conversation_and_not_on_the_number_of_requests() -> None:
    with ScriptedModel([[use("Bash", command="ls")], [say("second")]]) as model:
        url = f"{model.base_url}/v1/messages"
        first = [_ask(url, _body("go")) for _ in range(2)]
        errand = _ask(url, {"messages": _body("go")["messages"]})
        second = _ask(url, _body("go", "called", "result"))
        beyond = _ask(url, _body("go", "called", "result", "second", "more"))
    assert first[0] == first[1]
    assert first[0]["stop_reason"] == "tool_use"
    assert errand["id"] == "msg_side_3"
    assert second["content"] == [say("second")]
    assert beyond["content"] == [say("done")]


def test_other_paths_are_answered_harmlessly() -> None:
    with ScriptedModel() as model:
        count = _ask(f"{model.base_url}/v1/messages/count_tokens", _body("go"))
        with pytest.raises(urllib.error.HTTPError, match="404"):
            _ask(f"{model.base_url}/api/anything", {})
        head = urllib.request.Request(model.base_url, method="HEAD")
        with urllib.request.urlopen(head) as response:
            assert response.status == 200
    assert count == {"input_tokens": 10}
    assert model.requests == []


def test_script_that_raises_fails_the_test() -> None:
    def broken(request: dict[str, Any]) -> list[dict[str, Any]]:
        raise KeyError("a typo in the script")

    typo = pytest.raises(AssertionError, match="a typo in the script")
    refused = pytest.raises(urllib.error.HTTPError, match="400")
    with typo, ScriptedModel([broken]) as model, refused:
        _ask(f"{model.base_url}/v1/messages", _body("go"))
