"""Whose payload it is. Other agents run the hooks of a project's Claude settings too, and must not be judged as Claude Code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.hosts.recognise import CLAUDE_CODE, CODEX, COPILOT, CURSOR, GEMINI, QWEN, host_of

from ..core.strategies import JSON_VALUES

PAYLOADS = sorted((Path(__file__).resolve().parents[1] / "payloads").glob("*.json"))

STAMP = "2026-11-13T09:30:00.000Z"
BASE = {"session_id": "s1", "transcript_path": "/home/user/t.jsonl", "cwd": "/project"}
CURSOR_BASE = {
    "conversation_id": "c1", "generation_id": "g1", "model": "m", "cursor_version": "2.0", "workspace_roots": ["/project"],
}  # fmt: skip
COPILOT_PASCAL = {"session_id": "s1", "timestamp": STAMP, "cwd": "/project"}
COPILOT_CAMEL = {"sessionId": "s1", "timestamp": 1_763_026_200_000, "cwd": "/project"}
CODEX_BASE = {**BASE, "turn_id": "t1", "model": "gpt-6-codex", "permission_mode": "default"}
STAMPED = {**BASE, "timestamp": STAMP}
BASH = {"tool_name": "Bash", "tool_input": {"command": "ls"}}

OTHERS: list[tuple[str, dict[str, Any], str]] = [
    (
        "Cursor, shell",
        {**CURSOR_BASE, "hook_event_name": "beforeShellExecution", "command": "ls", "cwd": "/project"},
        CURSOR,
    ),
    ("Cursor, edited file", {**CURSOR_BASE, "hook_event_name": "afterFileEdit", "file_path": "/project/a.py", "edits": []}, CURSOR),
    ("Cursor, Claude's event", {**CURSOR_BASE, **BASE, "hook_event_name": "PreToolUse", **BASH}, CURSOR),
    ("Cursor, stop", {**CURSOR_BASE, "hook_event_name": "stop", "status": "completed", "loop_count": 0}, CURSOR),
    ("Cursor by its version alone", {"cursor_version": "2.0", "hook_event_name": "Stop"}, CURSOR),
    ("Copilot, camel case, before", {**COPILOT_CAMEL, "toolName": "bash", "toolArgs": '{"command":"ls"}'}, COPILOT),
    (
        "Copilot, camel case, after",
        {**COPILOT_CAMEL, "toolName": "edit", "toolArgs": "{}", "toolResult": {"resultType": "success"}},
        COPILOT,
    ),
    ("Copilot, camel case, prompt", {**COPILOT_CAMEL, "prompt": "go"}, COPILOT),
    ("Copilot, camel case, without a session", {"timestamp": 1, "cwd": "/project", "prompt": "go"}, COPILOT),
    ("Copilot, Pascal case, before", {**COPILOT_PASCAL, "hook_event_name": "PreToolUse", **BASH}, COPILOT),
    (
        "Copilot, Pascal case, after",
        {**COPILOT_PASCAL, "hook_event_name": "PostToolUse", **BASH, "tool_result": {"result_type": "success"}},
        COPILOT,
    ),
    ("Copilot, Pascal case, start", {**COPILOT_PASCAL, "hook_event_name": "SessionStart", "source": "startup"}, COPILOT),
    ("Codex, before", {**CODEX_BASE, "hook_event_name": "PreToolUse", **BASH, "tool_use_id": "u1"}, CODEX),
    (
        "Codex, patch",
        {**CODEX_BASE, "hook_event_name": "PreToolUse", "tool_name": "apply_patch", "tool_input": {"command": "*** Begin"}},
        CODEX,
    ),
    ("Codex, stop without a transcript", {**CODEX_BASE, "transcript_path": None, "hook_event_name": "Stop"}, CODEX),
    (
        "Gemini, before",
        {**STAMPED, "hook_event_name": "BeforeTool", "tool_name": "run_shell_command", "tool_input": {"command": "ls"}},
        GEMINI,
    ),
    ("Gemini, after", {**STAMPED, "hook_event_name": "AfterTool", "tool_response": {"llmContent": "x"}}, GEMINI),
    ("Gemini, prompt", {**STAMPED, "hook_event_name": "BeforeAgent", "prompt": "go"}, GEMINI),
    ("Gemini, stop", {**STAMPED, "hook_event_name": "AfterAgent", "prompt_response": "done"}, GEMINI),
    ("Gemini, model", {**STAMPED, "hook_event_name": "BeforeModel", "llm_request": {}}, GEMINI),
    ("Gemini, compaction", {**STAMPED, "hook_event_name": "PreCompress", "trigger": "auto"}, GEMINI),
    (
        "Qwen, before",
        {**STAMPED, "hook_event_name": "PreToolUse", "tool_name": "run_shell_command", "tool_call_id": "c1"},
        QWEN,
    ),
    (
        "Qwen, after",
        {**STAMPED, "hook_event_name": "PostToolUse", "tool_name": "write_file", "tool_call_id": "c1"},
        QWEN,
    ),
]

# Events that several hosts name alike, with nothing in them but a time stamp that Claude Code never sends.
UNCLEAR: list[tuple[str, dict[str, Any]]] = [
    ("Qwen or Gemini, start", {**STAMPED, "hook_event_name": "SessionStart", "source": "startup"}),
    ("Qwen, stop", {**STAMPED, "hook_event_name": "Stop", "stop_hook_active": False, "last_assistant_message": "done"}),
    ("Qwen, prompt", {**STAMPED, "hook_event_name": "UserPromptSubmit", "prompt": "go"}),
    ("Gemini, end", {**STAMPED, "hook_event_name": "SessionEnd", "reason": "exit"}),
    ("Copilot, Pascal case, stop with a transcript", {**STAMPED, "hook_event_name": "Stop", "stop_reason": "end_turn"}),
]

CLAUDE_S: list[tuple[str, object]] = [
    ("nothing", {}),
    ("no object", ["PreToolUse"]),
    ("the name alone", {"hook_event_name": "PreToolUse"}),
    ("an event whose turn has an id", {**BASE, "hook_event_name": "MessageDisplay", "turn_id": "t", "message_id": "m"}),
    ("a session's start names the model", {**BASE, "hook_event_name": "SessionStart", "source": "startup", "model": "m"}),
    ("telling names inside the tool's input", {**BASE, **BASH, "tool_input": {"sessionId": 1, "timestamp": 2, "turn_id": 3}}),
]


@pytest.mark.parametrize(("payload", "host"), [pytest.param(*row[1:], id=row[0]) for row in OTHERS])
def test_another_agent_is_recognised(payload: dict[str, Any], host: str) -> None:
    assert host_of(payload) == host


@pytest.mark.parametrize("payload", [pytest.param(row[1], id=row[0]) for row in UNCLEAR])
def test_what_another_agent_sends_under_claude_s_names_is_not_taken_for_claude_code(payload: dict[str, Any]) -> None:
    assert host_of(payload) != CLAUDE_CODE


@pytest.mark.parametrize("path", PAYLOADS, ids=[path.stem for path in PAYLOADS])
def test_a_recorded_payload_of_claude_code_is_recognised(path: Path) -> None:
    assert host_of(json.loads(path.read_text(encoding="utf-8"))) == CLAUDE_CODE


@pytest.mark.parametrize("payload", [pytest.param(row[1], id=row[0]) for row in CLAUDE_S])
def test_what_tells_of_no_other_agent_is_claude_code_s(payload: object) -> None:
    assert host_of(payload) == CLAUDE_CODE


def test_every_host_has_a_row_and_there_are_recorded_payloads() -> None:
    assert {row[2] for row in OTHERS} == {CURSOR, COPILOT, CODEX, GEMINI, QWEN}
    assert len(PAYLOADS) >= 40


@given(JSON_VALUES | st.dictionaries(st.sampled_from(["timestamp", "turn_id", "model", "hook_event_name"]), JSON_VALUES))
def test_any_json_value_has_a_host(value: object) -> None:
    assert host_of(value) in (CLAUDE_CODE, CURSOR, COPILOT, CODEX, GEMINI, QWEN)
