"""Which agent program a payload comes from.

Cursor and Copilot execute the hooks of a project's Claude settings too, with their own payloads. Theirs
must not be read as Claude Code's: until they have a module of their own, they are recorded and pass.
"""

from __future__ import annotations

from holdfast.core.jsontext import as_dict, as_text

CLAUDE_CODE, CURSOR, COPILOT, CODEX, GEMINI, QWEN, OTHER = (
    "claude-code", "cursor", "copilot", "codex", "gemini", "qwen", "other",
)  # fmt: skip

_CURSOR_FIELDS = ("cursor_version", "generation_id", "workspace_roots", "conversation_id")
_COPILOT_FIELDS = ("toolName", "toolArgs", "sessionId", "tool_result")
_GEMINI_EVENTS = ("BeforeTool", "AfterTool", "BeforeAgent", "AfterAgent", "BeforeModel", "AfterModel", "PreCompress")


def host_of(payload: object) -> str:
    """Return the id of the host that sends such a payload."""
    fields = as_dict(payload)
    if any(field in fields for field in _CURSOR_FIELDS):
        return CURSOR
    if any(field in fields for field in _COPILOT_FIELDS):
        return COPILOT
    if as_text(fields.get("hook_event_name")) in _GEMINI_EVENTS:
        return GEMINI
    if "turn_id" in fields and "model" in fields:
        return CODEX
    if "tool_call_id" in fields:
        return QWEN
    if "timestamp" in fields:
        # several agents stamp their events, Claude Code does not
        return OTHER if "transcript_path" in fields else COPILOT
    return CLAUDE_CODE
