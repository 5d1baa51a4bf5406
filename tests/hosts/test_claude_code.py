"""Claude Code: its payloads as events, and outcomes as answers that it accepts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.core.event import (
    CommandProposed,
    CommandRan,
    CompactionStarting,
    EditMade,
    EditProposed,
    Event,
    FileEdit,
    OtherEvent,
    PromptGiven,
    SessionEnded,
    SessionStarted,
    StopRequested,
    SubagentStarted,
    SubagentStopping,
    TaskCompleting,
    ToolFailed,
    subject,
)
from holdfast.core.verdict import (
    AGENT,
    ALLOW,
    ASK,
    BLOCK,
    DENY,
    NOTE,
    PERSON,
    QUIET,
    REFUSALS,
    REWRITE,
    Outcome,
    Statement,
    outcome,
)
from holdfast.hosts.claude_code import CHANNELS, MOST_CONTEXT, Reply, read, told, write

from ..core.strategies import JSON_VALUES, OUTCOMES, STATEMENTS
from .legality import EVENTS, faults

PAYLOADS = Path(__file__).resolve().parents[1] / "payloads"

SESSION = "00000001-0000-4000-8000-000000000000"
AGENT_ID = "a0000000000000001"

# file (without .json), type of event, fields of the event, fields of its head
RECORDED: list[tuple[str, type[Event], dict[str, object], dict[str, object]]] = [
    ("ConfigChange", OtherEvent, {"detail": "/project/.claude/settings.local.json"}, {"cwd": "/project/sub"}),
    ("CwdChanged", OtherEvent, {"detail": ""}, {"cwd": "/project/sub"}),
    ("FileChanged", OtherEvent, {"detail": "/project/watched.txt"}, {}),
    ("InstructionsLoaded", OtherEvent, {"detail": "/project/CLAUDE.md"}, {"prompt": ""}),
    ("Notification.idle_prompt", OtherEvent, {"detail": "Claude is waiting for your input"}, {}),
    ("Notification", OtherEvent, {"detail": "Claude needs your permission"}, {}),
    ("PermissionDenied", OtherEvent, {}, {"tool": "Bash", "tool_use": "toolu_fake_main_00_00", "permission_mode": "plan"}),
    ("PermissionRequest", OtherEvent, {"detail": "Bash"}, {"tool": "Bash", "tool_use": "", "permission_mode": "default"}),
    ("PostCompact", OtherEvent, {"detail": "manual"}, {}),
    ("PostToolBatch", OtherEvent, {}, {"tool": ""}),
    ("PostToolUse.Agent", OtherEvent, {"detail": "Agent"}, {"tool": "Agent"}),
    (
        "PostToolUse.Edit",
        EditMade,
        {"files": (FileEdit("/project/a.txt", None, "two", "three"),), "created": False},
        {"tool": "Edit", "tool_use": "toolu_fake_main_03_00"},
    ),
    ("PostToolUse.Read", OtherEvent, {"detail": "Read"}, {"tool": "Read"}),
    ("PostToolUse.TaskCreate", OtherEvent, {"detail": "TaskCreate"}, {"tool": "TaskCreate"}),
    ("PostToolUse.TaskUpdate", OtherEvent, {"detail": "TaskUpdate"}, {"tool": "TaskUpdate"}),
    ("PostToolUse.ToolSearch", OtherEvent, {"detail": "ToolSearch"}, {"tool": "ToolSearch"}),
    (
        "PostToolUse.Write",
        EditMade,
        {"files": (FileEdit("/project/a.txt", "one\ntwo\n"),), "created": True},
        {"tool": "Write"},
    ),
    (
        "PostToolUse.in_subagent",
        CommandRan,
        {"command": "echo in-sub", "exit_code": 0, "output": "in-sub"},
        {"agent": AGENT_ID, "agent_type": "general-purpose", "tool_use": "toolu_fake_SUBMARK_00_00"},
    ),
    (
        "PostToolUse",
        CommandRan,
        {"command": "echo out; echo err >&2", "exit_code": 0, "output": "out\nerr", "background": False},
        {"tool": "Bash", "agent": "", "permission_mode": "acceptEdits"},
    ),
    (
        "PostToolUseFailure.Read",
        ToolFailed,
        {"error": "File does not exist. Note: your current working directory is /project."},
        {"tool": "Read"},
    ),
    (
        "PostToolUseFailure",
        CommandRan,
        {"command": "echo out; echo bad >&2; exit 3", "exit_code": 3, "output": "out\nbad", "interrupted": False},
        {"tool": "Bash"},
    ),
    ("PreCompact", CompactionStarting, {"trigger": "manual", "instructions": "focus on tests"}, {}),
    ("PreToolUse.Agent", OtherEvent, {"detail": "Agent"}, {"agent_type": ""}),
    (
        "PreToolUse.Edit",
        EditProposed,
        {"files": (FileEdit("/project/a.txt", None, "two", "three"),)},
        {"tool": "Edit", "tool_use": "toolu_fake_main_03_00"},
    ),
    ("PreToolUse.Read", OtherEvent, {"detail": "Read"}, {}),
    ("PreToolUse.TaskCreate", OtherEvent, {"detail": "TaskCreate"}, {}),
    ("PreToolUse.TaskUpdate", OtherEvent, {"detail": "TaskUpdate"}, {}),
    ("PreToolUse.ToolSearch", OtherEvent, {"detail": "ToolSearch"}, {}),
    ("PreToolUse.Write", EditProposed, {"files": (FileEdit("/project/a.txt", "one\ntwo\n"),)}, {"tool": "Write"}),
    (
        "PreToolUse.in_subagent",
        CommandProposed,
        {"command": "echo in-sub"},
        {"agent": AGENT_ID, "agent_type": "general-purpose"},
    ),
    ("PreToolUse", CommandProposed, {"command": "echo out; echo err >&2", "background": False}, {"tool": "Bash", "agent": ""}),
    ("SessionEnd.clear", SessionEnded, {"reason": "clear"}, {}),
    ("SessionEnd", SessionEnded, {"reason": "other"}, {}),
    ("SessionEnd.prompt_input_exit", SessionEnded, {"reason": "prompt_input_exit"}, {}),
    ("SessionStart.clear", SessionStarted, {"source": "clear", "model": ""}, {"prompt": ""}),
    ("SessionStart.compact", SessionStarted, {"source": "compact", "model": "claude-opus-5-5"}, {}),
    ("SessionStart", SessionStarted, {"source": "startup"}, {"cwd": "/project"}),
    ("SessionStart.resume", SessionStarted, {"source": "resume"}, {}),
    ("Setup", OtherEvent, {"detail": "init"}, {}),
    ("Stop", StopRequested, {"last_message": "one", "already_blocked": False, "background_tasks": 0}, {}),
    ("Stop.stop_hook_active", StopRequested, {"last_message": "two", "already_blocked": True}, {}),
    ("StopFailure", OtherEvent, {"detail": "authentication_failed"}, {}),
    ("SubagentStart", SubagentStarted, {}, {"agent": AGENT_ID, "agent_type": "general-purpose"}),
    (
        "SubagentStop",
        SubagentStopping,
        {
            "last_message": "sub done",
            "already_blocked": False,
            "transcript": f"/home/user/.claude/projects/-project/{SESSION}/subagents/agent-{AGENT_ID}.jsonl",
        },
        {"agent": AGENT_ID},
    ),
    ("TaskCompleted", TaskCompleting, {"task": "1", "subject": "Write it"}, {}),
    ("TaskCreated", OtherEvent, {}, {}),
    ("UserPromptExpansion", OtherEvent, {"detail": "hello"}, {}),
    ("UserPromptSubmit", PromptGiven, {"text": "/hello world", "typed": True}, {"permission_mode": "acceptEdits"}),
    ("UserPromptSubmit.task_notification", PromptGiven, {"typed": False}, {}),
]


def payload(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((PAYLOADS / f"{name}.json").read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize(("name", "kind", "fields", "head"), [pytest.param(*row, id=row[0]) for row in RECORDED])
def test_a_recorded_payload_is_read(
    name: str, kind: type[Event], fields: dict[str, object], head: dict[str, object]
) -> None:
    event = read(payload(name))
    assert type(event) is kind
    assert {field: getattr(event, field) for field in fields} == fields
    assert {field: getattr(event.head, field) for field in head} == head
    assert event.head.host == "claude-code"
    assert event.head.name == name.partition(".")[0]
    assert event.head.session == SESSION
    assert event.head.cwd.startswith("/project")


def test_every_recorded_payload_has_a_row() -> None:
    assert sorted(path.stem for path in PAYLOADS.glob("*.json")) == sorted(row[0] for row in RECORDED)


def test_every_event_of_the_host_has_a_channel() -> None:
    assert len(EVENTS) == len(set(EVENTS)) == 33
    assert set(CHANNELS) == set(EVENTS)


def test_every_recorded_event_is_one_of_the_host_s() -> None:
    assert {row[0].partition(".")[0] for row in RECORDED} <= set(EVENTS)


# --- shapes of other versions, and of the fields ---


def pre(tool: str, tool_input: object, **more: object) -> dict[str, object]:
    return {"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": tool_input, **more}


def post(tool: str, tool_input: object, response: object) -> dict[str, object]:
    return {"hook_event_name": "PostToolUse", "tool_name": tool, "tool_input": tool_input, "tool_response": response}


EDITS: list[tuple[str, dict[str, object], tuple[FileEdit, ...]]] = [
    ("Write", pre("Write", {"file_path": "/a", "content": "x"}), (FileEdit("/a", "x"),)),
    ("Write of nothing", pre("Write", {"file_path": "/a", "content": ""}), (FileEdit("/a", ""),)),
    (
        "Edit of all places",
        pre("Edit", {"file_path": "/a", "old_string": "o", "new_string": "n", "replace_all": True}),
        (FileEdit("/a", None, "o", "n", True),),
    ),
    ("NotebookEdit", pre("NotebookEdit", {"notebook_path": "/a.ipynb", "new_source": "x"}), (FileEdit("/a.ipynb", new="x"),)),
    ("path instead of file_path", pre("Edit", {"path": "/a", "old_string": "o"}), (FileEdit("/a", old="o"),)),
    (
        "MultiEdit of one file",
        pre("MultiEdit", {"file_path": "/a", "edits": [{"old_string": "1", "new_string": "2"}, {"new_string": "3"}]}),
        (FileEdit("/a", None, "1", "2"), FileEdit("/a", None, "", "3")),
    ),
    ("MultiEdit without edits", pre("MultiEdit", {"file_path": "/a", "edits": []}), (FileEdit("/a"),)),
    (
        "MultiEdit of several files",
        pre("MultiEdit", {"files": [{"path": "/a"}, {"path": "/b", "content": "x"}, {"nothing": 1}, 7]}),
        (FileEdit("/a"), FileEdit("/b", "x")),
    ),
    (
        "MultiEdit of several files with edits each",
        pre("MultiEdit", {"files": [{"path": "/a", "edits": [{"old_string": "o"}]}, {"file_path": "/b"}]}),
        (FileEdit("/a", old="o"), FileEdit("/b")),
    ),
    (
        "tool and arguments instead of tool_name and tool_input",
        {"hook_event_name": "PreToolUse", "tool": "Write", "arguments": {"file_path": "/a", "content": "x"}},
        (FileEdit("/a", "x"),),
    ),
    ("no path at all", pre("Edit", {"old_string": "o"}), ()),
    ("a path that is no text", pre("Edit", {"file_path": 7}), ()),
    ("an input that is no object", pre("Edit", "x"), ()),
]


@pytest.mark.parametrize(("shape", "files"), [pytest.param(*row[1:], id=row[0]) for row in EDITS])
def test_an_edit_is_read_in_the_shapes_of_all_versions(shape: dict[str, object], files: tuple[FileEdit, ...]) -> None:
    event = read(shape)
    assert isinstance(event, EditProposed)
    assert event.files == files
    made = read({**shape, "hook_event_name": "PostToolUse", "tool_response": {}})
    assert isinstance(made, EditMade)
    assert made.files == files


SHELL = {"command": "make"}
# name, payload, exit code, output, background, interrupted
COMMANDS: list[tuple[str, dict[str, object], int | None, str, bool, bool]] = [
    ("success", post("Bash", SHELL, {"stdout": "ok", "interrupted": False}), 0, "ok", False, False),
    ("PowerShell", post("PowerShell", SHELL, {"stdout": "ok"}), 0, "ok", False, False),
    ("background", post("Bash", SHELL, {"stdout": "", "backgroundTaskId": "b1"}), None, "", True, False),
    ("interrupted", post("Bash", SHELL, {"stdout": "half", "interrupted": True}), None, "half", False, True),
    (
        "outlived its time, moved to the background",
        post("Bash", SHELL, {"stdout": "", "backgroundTaskId": "b1", "timedOutAfterMs": 120_000}),
        None,
        "",
        True,
        True,
    ),
    (
        "a benign non-zero status",
        post("Bash", SHELL, {"stdout": "", "returnCodeInterpretation": "No matches found"}),
        None,
        "",
        False,
        False,
    ),
    ("a bare text as response", post("Bash", SHELL, "all output"), None, "all output", False, False),
    ("no response", post("Bash", SHELL, None), None, "", False, False),
]


@pytest.mark.parametrize(
    ("shape", "code", "output", "background", "interrupted"), [pytest.param(*row[1:], id=row[0]) for row in COMMANDS]
)
def test_the_end_of_a_command_is_read(
    shape: dict[str, object], code: int | None, output: str, background: bool, interrupted: bool
) -> None:
    event = read(shape)
    assert isinstance(event, CommandRan)
    assert event.command == "make"
    assert (event.exit_code, event.output, event.background, event.interrupted) == (code, output, background, interrupted)


def test_the_file_with_the_complete_output_of_a_long_command_is_kept() -> None:
    event = read(post("Bash", SHELL, {"stdout": "cut", "persistedOutputPath": "/tmp/out", "persistedOutputSize": 99_999}))
    assert isinstance(event, CommandRan)
    assert event.output_file == "/tmp/out"


FAILURES: list[tuple[str, int | None, str]] = [
    ("Exit code 1\nout", 1, "out"),
    ("Exit code 127\nline\nline", 127, "line\nline"),
    ("Exit code 2", 2, ""),
    ("Exit code 143\nCommand timed out", 143, "Command timed out"),
    ("Exit code 0\nodd", 0, "odd"),
    ("Command was aborted", None, "Command was aborted"),
    ("", None, ""),
    ("Exit code\nx", None, "Exit code\nx"),
    ("Exit code one\nx", None, "x"),
    ("Exit code -1\nx", None, "x"),
    ("Exit code ²\nx", None, "x"),
    ("Exit code 99999999\nx", None, "x"),
    ("Note: Exit code 1\nx", None, "Note: Exit code 1\nx"),
]


@pytest.mark.parametrize(("error", "code", "output"), FAILURES, ids=[ascii(row[0]) for row in FAILURES])
def test_the_exit_code_of_a_failed_command_is_read(error: str, code: int | None, output: str) -> None:
    event = read({"hook_event_name": "PostToolUseFailure", "tool_name": "Bash", "tool_input": SHELL, "error": error})
    assert isinstance(event, CommandRan)
    assert (event.exit_code, event.output) == (code, output)


def test_an_interrupted_command_is_read_as_such() -> None:
    fields = {"hook_event_name": "PostToolUseFailure", "tool_name": "Bash", "tool_input": SHELL, "is_interrupt": True}
    event = read({**fields, "error": "Exit code 137\nx"})
    assert isinstance(event, CommandRan)
    assert event.interrupted


def test_an_edit_that_is_held_for_review_was_not_made() -> None:
    shape = post("Edit", {"file_path": "/a"}, {"filePath": "/a", "staged": True})
    assert isinstance(read(shape), OtherEvent)
    shape = post("Edit", {"file_path": "/a"}, {"filePath": "/a", "staged": False})
    assert isinstance(read(shape), EditMade)


OTHER_SHAPES: list[tuple[str, dict[str, object], type[Event], dict[str, object]]] = [
    ("a command in the background", pre("Bash", {**SHELL, "run_in_background": True}), CommandProposed, {"background": True}),
    ("a command that is no text", pre("Bash", {"command": ["make"]}), CommandProposed, {"command": ""}),
    ("a monitored command", pre("Monitor", SHELL), CommandProposed, {"command": "make"}),
    ("a monitor without a command", pre("Monitor", {"task": "b1"}), OtherEvent, {}),
    ("an MCP tool", pre("mcp__server__write", {"path": "/a"}), OtherEvent, {"detail": "mcp__server__write"}),
    ("a tool of later versions", pre("Sculpt", {"file_path": "/a"}), OtherEvent, {"detail": "Sculpt"}),
    ("a prompt by a schedule", {"hook_event_name": "UserPromptSubmit", "source": "loop_wakeup"}, PromptGiven, {"typed": False}),
    ("a prompt by a user", {"hook_event_name": "UserPromptSubmit", "source": "user"}, PromptGiven, {"typed": True}),
    ("`response` at a stop", {"hook_event_name": "Stop", "response": "done"}, StopRequested, {"last_message": "done"}),
    (
        "background tasks at a stop",
        {"hook_event_name": "Stop", "background_tasks": [{"id": "b1"}, {"id": "b2"}]},
        StopRequested,
        {"background_tasks": 2},
    ),
    ("an event of later versions", {"hook_event_name": "PostDream", "message": "m"}, OtherEvent, {"detail": "m"}),
    ("an empty payload", {}, OtherEvent, {"detail": ""}),
]


@pytest.mark.parametrize(("shape", "kind", "fields"), [pytest.param(*row[1:], id=row[0]) for row in OTHER_SHAPES])
def test_other_shapes_are_read(shape: dict[str, object], kind: type[Event], fields: dict[str, object]) -> None:
    event = read(shape)
    assert type(event) is kind
    assert {field: getattr(event, field) for field in fields} == fields


def test_the_type_of_a_subagent_is_read_by_its_old_name_too() -> None:
    assert read({"hook_event_name": "SubagentStop", "subagent_type": "planner"}).head.agent_type == "planner"
    both = {"hook_event_name": "SubagentStop", "subagent_type": "old", "agent_type": "new"}
    assert read(both).head.agent_type == "new"


def test_the_event_s_name_comes_from_the_payload_and_else_from_the_command_line() -> None:
    assert isinstance(read({"reason": "clear"}, "SessionEnd"), SessionEnded)
    assert isinstance(read({"hook_event_name": "Stop"}, "SessionEnd"), StopRequested)
    assert isinstance(read({"hook_event_name": 7}, "Stop"), StopRequested)


# --- reading never fails ---

REAL_NAMES = sorted({key for row in RECORDED for key in payload(row[0])} | {"tool", "arguments", "response", "subagent_type"})
REAL_INNER_NAMES = (
    "file_path path notebook_path content edits files old_string new_string new_source replace_all command run_in_background"
    " stdout interrupted backgroundTaskId timedOutAfterMs returnCodeInterpretation persistedOutputPath staged type error"
).split()
REAL_TEXTS = [*EVENTS, "Bash", "Edit", "Write", "MultiEdit", "NotebookEdit", "Monitor", "Exit code 3\nx", "<task-notification>"]

_INNER = st.recursive(
    JSON_VALUES | st.sampled_from(REAL_TEXTS),
    lambda inner: st.dictionaries(st.sampled_from(REAL_INNER_NAMES), inner, max_size=4) | st.lists(inner, max_size=3),
    max_leaves=12,
)
SHAPED = st.dictionaries(st.sampled_from(REAL_NAMES), _INNER, max_size=8)
TOOL_CALLS = st.builds(
    lambda event, tool, tool_input, response, more: {
        **more,
        "hook_event_name": event,
        "tool_name": tool,
        "tool_input": tool_input,
        "tool_response": response,
    },
    st.sampled_from(["PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest"]),
    st.sampled_from(["Edit", "MultiEdit", "Write", "NotebookEdit", "Bash", "PowerShell", "Monitor", "Read"]),
    _INNER,
    _INNER,
    SHAPED,
)


def _well_formed(event: Event) -> None:
    """Every field of an event has the type that it declares, whatever the payload said."""
    for field in ("name", "session", "cwd", "prompt", "agent", "agent_type", "tool", "tool_use", "permission_mode"):
        assert isinstance(getattr(event.head, field), str)
    for field, kind in type(event).fields().items():
        value = getattr(event, field)
        if kind == "str":
            assert isinstance(value, str)
        elif kind == "bool":
            assert isinstance(value, bool)
        elif kind == "int | None":
            assert value is None or type(value) is int
    for file in getattr(event, "files", ()):
        assert file.path
        assert isinstance(file.path, str)
        assert isinstance(file.old, str)
        assert isinstance(file.new, str)
        assert file.content is None or isinstance(file.content, str)
    assert isinstance(subject(event), str)
    assert isinstance(hash(event), int)


@settings(max_examples=3 * settings().max_examples)
@given(JSON_VALUES | SHAPED | TOOL_CALLS, st.sampled_from(["", "nonsense", *EVENTS]))
def test_any_json_value_gives_an_event(value: object, name: str) -> None:
    event = read(value, name)
    _well_formed(event)
    assert event == read(value, name)


def test_files_within_files_without_end_give_an_event() -> None:
    nested: dict[str, object] = {"path": "/a"}
    for _ in range(3_000):
        nested = {"files": [nested]}
    _well_formed(read(pre("MultiEdit", nested)))


# --- answers ---

_LONG = st.sampled_from(["x" * 4_000, "line\n" * 3_000, "é" * 9_600, '{"not": "json"', "{}"])
LONG_STATEMENTS = st.builds(lambda one, reason: one.replace(reason=reason), STATEMENTS, _LONG)
ANY_OUTCOME = OUTCOMES | st.lists(STATEMENTS | LONG_STATEMENTS, max_size=6).map(outcome)
REWRITTEN = st.none() | st.dictionaries(st.sampled_from(["command", "file_path"]), JSON_VALUES, max_size=2)


@settings(max_examples=5 * settings().max_examples)
@given(st.sampled_from([*EVENTS, "", "PostDream"]), ANY_OUTCOME, REWRITTEN)
def test_every_answer_is_legal(name: str, said: Outcome, rewritten: dict[str, Any] | None) -> None:
    assert faults(name, write(name, said, rewritten)) == []


@pytest.mark.parametrize("name", EVENTS)
def test_all_that_can_be_said_at_once_is_legal_on_every_event(name: str) -> None:
    words = [NOTE, ALLOW, REWRITE, ASK, DENY, BLOCK]
    for count in range(1, len(words) + 1):
        said = outcome(
            Statement(f"p-{word}", word, f"because {word}", "do this", word, audience)
            for word in words[:count]
            for audience in (AGENT, PERSON)
        )
        assert faults(name, write(name, said, {"command": "x"})) == []


@pytest.mark.parametrize("name", EVENTS)
def test_silence_is_answered_with_silence(name: str) -> None:
    assert write(name, QUIET) == Reply()


def answer_to(name: str, *statements: Statement, rewritten: dict[str, Any] | None = None) -> dict[str, Any]:
    reply = write(name, outcome(statements), rewritten)
    found: dict[str, Any] = json.loads(reply.stdout) if reply.stdout else {}
    return found


NO = Statement("rule", DENY, "Not here.", "Go there.", "no")
STAY = Statement("rule", BLOCK, "Not yet.", "Finish.", "stay")
SURE = Statement("rule", ASK, "Sure?", "", "sure")
YES = Statement("rule", ALLOW, "Understood.", "", "yes")
FYI = Statement("rule", NOTE, "Know this.", "", "fyi")
HEY = Statement("rule", NOTE, "See this.", "", "hey", PERSON)
DENIED = {"permissionDecision": "deny", "permissionDecisionReason": "Holdfast (rule): Not here. Go there."}
BLOCKED = {"decision": "block", "reason": "Holdfast (rule): Not here. Go there."}
TO_AGENT = {"additionalContext": "Holdfast (rule): Know this."}
TO_PERSON = {"systemMessage": "Holdfast (rule): See this."}


def specific(name: str, **fields: object) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": name, **fields}}


ANSWERS: list[tuple[str, str, tuple[Statement, ...], dict[str, Any]]] = [
    ("a denial", "PreToolUse", (NO,), specific("PreToolUse", **DENIED)),
    ("a denial with notes", "PreToolUse", (NO, FYI, HEY), {**TO_PERSON, **specific("PreToolUse", **DENIED, **TO_AGENT)}),
    ("a denial beside an allow", "PreToolUse", (NO, YES), specific("PreToolUse", **DENIED)),
    (
        "a question",
        "PreToolUse",
        (SURE, YES),
        specific("PreToolUse", permissionDecision="ask", permissionDecisionReason="Holdfast (rule): Sure?"),
    ),
    (
        "an allow",
        "PreToolUse",
        (YES,),
        specific("PreToolUse", permissionDecision="allow", permissionDecisionReason="Holdfast (rule): Understood."),
    ),
    ("a note to the agent", "PreToolUse", (FYI,), specific("PreToolUse", **TO_AGENT)),
    ("a note to the person", "PreToolUse", (HEY,), TO_PERSON),
    ("a block of what is done already", "PostToolUse", (NO,), BLOCKED),
    ("a blocked prompt", "UserPromptSubmit", (NO,), BLOCKED),
    ("a blocked stop", "Stop", (STAY,), {"decision": "block", "reason": "Holdfast (rule): Not yet. Finish."}),
    ("a note to the agent at a stop goes to the person", "Stop", (FYI,), {"systemMessage": "Holdfast (rule): Know this."}),
    ("a blocked stop of a subagent", "SubagentStop", (NO,), BLOCKED),
    ("a task that is not done", "TaskCompleted", (NO,), BLOCKED),
    ("a blocked compaction", "PreCompact", (NO,), BLOCKED),
    ("a question where none can be put refuses", "UserPromptSubmit", (SURE,), {**BLOCKED, "reason": "Holdfast (rule): Sure?"}),
    ("a question about what is done already is a note", "PostToolUse", (SURE,), {"systemMessage": "Holdfast (rule): Sure?"}),
    ("a refusal without a channel is a note", "SessionStart", (NO,), specific("SessionStart", additionalContext=DENIED["permissionDecisionReason"])),
    ("a brief", "SessionStart", (FYI,), specific("SessionStart", **TO_AGENT)),
    (
        "a denied permission",
        "PermissionRequest",
        (NO,),
        specific("PermissionRequest", decision={"behavior": "deny", "message": "Holdfast (rule): Not here. Go there."}),
    ),
    ("an allowed permission", "PermissionRequest", (YES,), specific("PermissionRequest", decision={"behavior": "allow"})),
    ("a declined question of a server", "Elicitation", (NO,), specific("Elicitation", action="decline")),
    ("an allow where none is heard", "PostToolUse", (YES,), {}),
    ("anything at a worktree's creation", "WorktreeCreate", (NO, STAY, SURE, YES, FYI, HEY), {}),
    ("anything at a session's end", "SessionEnd", (NO, FYI, HEY), {}),
    ("an event of later versions", "PostDream", (NO, FYI, HEY), {}),
]


@pytest.mark.parametrize(("name", "statements", "answer"), [pytest.param(*row[1:], id=row[0]) for row in ANSWERS])
def test_what_was_said_is_answered(name: str, statements: tuple[Statement, ...], answer: dict[str, Any]) -> None:
    assert answer_to(name, *statements) == answer


def test_a_rewrite_is_given_with_an_allow_a_question_or_nothing_but_never_with_a_denial() -> None:
    changed = Statement("rule", REWRITE, "Safer.", "", "safer")
    new = {"command": "trash x"}
    for others, decision in (((), None), ((YES,), "allow"), ((SURE,), "ask")):
        fields = answer_to("PreToolUse", changed, *others, rewritten=new)["hookSpecificOutput"]
        assert fields["updatedInput"] == new
        assert fields.get("permissionDecision") == decision
    assert "updatedInput" not in answer_to("PreToolUse", changed, NO, rewritten=new)["hookSpecificOutput"]


def test_a_teammate_is_kept_working_by_the_one_exit_status_that_means_it() -> None:
    reply = write("TeammateIdle", outcome([NO]))
    assert reply == Reply("", "Holdfast (rule): Not here. Go there.\n", 2)


def test_a_compaction_is_told_in_plain_text() -> None:
    assert write("PreCompact", outcome([FYI])).stdout == "Holdfast (rule): Know this.\n"


def test_what_is_told_names_the_policy() -> None:
    assert told(NO) == "Holdfast (rule): Not here. Go there."
    assert told(NO.replace(policy="", remedy="")) == "Holdfast: Not here."


def test_context_is_cut_below_the_host_s_limit() -> None:
    long = [FYI.replace(reason="x" * 20_000), HEY.replace(reason="y" * 20_000)]
    answer = answer_to("PreToolUse", *long)
    assert len(answer["systemMessage"]) == len(answer["hookSpecificOutput"]["additionalContext"]) == MOST_CONTEXT


REFUSES = "PreToolUse PostToolUse PostToolUseFailure UserPromptSubmit UserPromptExpansion Stop SubagentStop TaskCreated".split()
REFUSES += "TaskCompleted TeammateIdle PreCompact PreModelSwitch ConfigChange PermissionRequest Elicitation".split()


def refused(name: str, reply: Reply) -> bool:
    """Whether the host takes the reply for a refusal."""
    answer = json.loads(reply.stdout) if reply.stdout.startswith("{") else {}
    fields = answer.get("hookSpecificOutput", {})
    return (
        reply.exit_code == 2
        or answer.get("decision") == "block"
        or fields.get("permissionDecision") == "deny"
        or fields.get("action") == "decline"
        or (name == "PermissionRequest" and fields.get("decision", {}).get("behavior") == "deny")
    )


@given(st.sampled_from(REFUSES), ANY_OUTCOME, REWRITTEN)
def test_a_refusal_is_never_lost_nor_made_up_where_the_host_can_hear_it(
    name: str, said: Outcome, rewritten: dict[str, Any] | None
) -> None:
    reply = write(name, said, rewritten)
    if said.decision in REFUSALS:
        assert refused(name, reply)
    elif said.decision != ASK:
        assert not refused(name, reply)


@given(st.sampled_from(EVENTS), ANY_OUTCOME, REWRITTEN)
def test_nothing_is_allowed_that_was_not_allowed(name: str, said: Outcome, rewritten: dict[str, Any] | None) -> None:
    if said.decision != ALLOW:
        assert '"allow"' not in write(name, outcome(one.replace(reason="r", slug="") for one in said.statements), None).stdout


# --- the checker itself can fail ---


def _json(**answer: object) -> Reply:
    return Reply(json.dumps(answer))


ILLEGAL: list[tuple[str, str, Reply]] = [
    ("text beside the object", "PreToolUse", Reply('debug\n{"systemMessage": "x"}')),
    ("two objects", "PreToolUse", Reply('{"systemMessage": "x"}\n{"systemMessage": "y"}')),
    ("plain text", "Stop", Reply("hello")),
    ("a list", "Stop", Reply("[]")),
    ("an unknown key", "Stop", _json(message="x")),
    ("a decision that is none", "Stop", _json(decision="deny", reason="x")),
    ("a block without a reason", "Stop", _json(decision="block")),
    ("a block with an empty reason", "Stop", _json(decision="block", reason=" ")),
    ("a block where none is honoured", "SessionStart", _json(decision="block", reason="x")),
    ("a reason without a decision", "Stop", _json(reason="x")),
    ("the name of another event", "PreToolUse", _json(**specific("PostToolUse", additionalContext="x"))),
    ("no name of the event", "PreToolUse", _json(hookSpecificOutput={"additionalContext": "x"})),
    ("a permission that does not exist", "PreToolUse", _json(**specific("PreToolUse", permissionDecision="block", permissionDecisionReason="x"))),
    ("a permission where none is asked", "PostToolUse", _json(**specific("PostToolUse", permissionDecision="deny", permissionDecisionReason="x"))),
    ("a denial without a reason", "PreToolUse", _json(**specific("PreToolUse", permissionDecision="deny"))),
    ("a rewrite beside a denial", "PreToolUse", _json(**specific("PreToolUse", **DENIED, updatedInput={}))),
    ("a rewrite where none is honoured", "PostToolUse", _json(**specific("PostToolUse", updatedInput={}))),
    ("context at a stop", "Stop", _json(**specific("Stop", additionalContext="x"))),
    ("context at a subagent's stop", "SubagentStop", _json(**specific("SubagentStop", additionalContext="x"))),
    ("context where none is honoured", "TaskCompleted", _json(**specific("TaskCompleted", additionalContext="x"))),
    ("empty output", "PreToolUse", _json(**specific("PreToolUse"))),
    ("context that is no text", "PreToolUse", _json(**specific("PreToolUse", additionalContext=["x"]))),
    ("context beyond the limit", "PreToolUse", _json(**specific("PreToolUse", additionalContext="x" * 10_001))),
    ("a message beyond the limit", "Stop", _json(systemMessage="x" * 10_001)),
    ("a message that is no text", "Stop", _json(systemMessage=None)),
    ("plain text beyond the limit", "PreCompact", Reply("x" * 10_001)),
    ("a behaviour that does not exist", "PermissionRequest", _json(**specific("PermissionRequest", decision={"behavior": "ask"}))),
    ("a message beside an allow", "PermissionRequest", _json(**specific("PermissionRequest", decision={"behavior": "allow", "message": "x"}))),
    ("an action that does not exist", "Elicitation", _json(**specific("Elicitation", action="deny"))),
    ("any answer to a worktree's creation", "WorktreeCreate", _json(systemMessage="x")),
    ("any answer at a session's end", "SessionEnd", _json(systemMessage="x")),
    ("any answer to an unknown event", "PostDream", _json(systemMessage="x")),
    ("an accidental exit status", "PreToolUse", Reply(exit_code=1)),
    ("exit status 2 where it is not deliberate", "PreToolUse", Reply(stderr="x", exit_code=2)),
    ("exit status 2 without a reason", "TeammateIdle", Reply(exit_code=2)),
    ("standard error beside success", "PreToolUse", Reply(stderr="x")),
]  # fmt: skip


@pytest.mark.parametrize(("name", "reply"), [pytest.param(*row[1:], id=row[0]) for row in ILLEGAL])
def test_the_checker_finds_the_fault(name: str, reply: Reply) -> None:
    assert faults(name, reply)
