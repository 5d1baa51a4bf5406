"""What Claude Code accepts as a hook's answer, written down apart from the code that writes answers.

From the host's own declarations (2.1.325) and from experiments with it. An answer that breaks one of these rules
is not an error to the host: it is lost in silence, and the action goes on.
"""

from __future__ import annotations

import json

from holdfast.hosts.claude_code import Reply

EVENTS = (
    "PreToolUse PostToolUse PostToolUseFailure PostToolBatch Notification UserPromptSubmit UserPromptExpansion SessionStart"
    " SessionEnd Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact PreModelSwitch PostModelSwitch"
    " PermissionRequest PermissionDenied Setup TeammateIdle TaskCreated TaskCompleted Elicitation ElicitationResult"
    " ConfigChange WorktreeCreate WorktreeRemove InstructionsLoaded CwdChanged FileChanged DirectoryAdded MessageDisplay"
).split()
"""All 33 events of the host."""

LIMIT = 10_000
"""Characters beyond which the host moves context and messages into a file."""

BLOCKABLE = frozenset(
    "PostToolUse PostToolUseFailure UserPromptSubmit UserPromptExpansion Stop SubagentStop TaskCreated TaskCompleted"
    " PreCompact ConfigChange".split()
)
"""Where a top-level `decision: block` is honoured."""

UNHEARD = frozenset("WorktreeCreate WorktreeRemove SessionEnd StopFailure PostCompact InstructionsLoaded".split())
"""Where nothing that is printed does any good. A worktree's creation even takes it for a path."""

_CONTEXT = frozenset({"additionalContext"})
_PERMISSION = frozenset({"permissionDecision", "permissionDecisionReason"})
SPECIFIC: dict[str, frozenset[str]] = {
    "PreToolUse": _PERMISSION | _CONTEXT | {"updatedInput"},
    "PreModelSwitch": _PERMISSION,
    "PermissionRequest": frozenset({"decision"}),
    "PostToolUse": _CONTEXT,
    "PostToolUseFailure": _CONTEXT,
    "PostToolBatch": _CONTEXT,
    "UserPromptSubmit": _CONTEXT,
    "UserPromptExpansion": _CONTEXT,
    "SubagentStart": _CONTEXT,
    "SessionStart": _CONTEXT,
    "Setup": _CONTEXT,
    "PostModelSwitch": _CONTEXT,
    "Elicitation": frozenset({"action", "content"}),
    "ElicitationResult": frozenset({"action", "content"}),
}
"""Fields of `hookSpecificOutput` by event. Stop and SubagentStop have none: there, context would go on with the turn."""

_UNIVERSAL = frozenset({"decision", "reason", "systemMessage", "hookSpecificOutput"})


def faults(event: str, reply: Reply) -> list[str]:
    """Return what is wrong with a reply to an event; nothing if it is legal."""
    if reply.exit_code:
        return _exit_faults(event, reply)
    if reply.stderr:
        return ["text on standard error"]
    text = reply.stdout
    if not text:
        return []
    if event in UNHEARD or event not in EVENTS:
        return [f"{event} takes no answer"]
    if event == "PreCompact" and not text.lstrip().startswith("{"):
        return [] if len(text) <= LIMIT else ["plain text beyond the limit"]
    try:
        answer = json.loads(text)
    except ValueError:
        return ["not one JSON document"]
    if not isinstance(answer, dict):
        return ["not an object"]
    return _answer_faults(event, answer)


def _exit_faults(event: str, reply: Reply) -> list[str]:
    if event != "TeammateIdle" or reply.exit_code != 2:
        return [f"exit status {reply.exit_code}"]
    found = [] if reply.stderr.strip() else ["a refusal by exit status without a reason"]
    return found + (["text on standard output beside exit status 2"] if reply.stdout else [])


def _answer_faults(event: str, answer: dict[str, object]) -> list[str]:
    found = [f"unknown key {key}" for key in answer if key not in _UNIVERSAL]
    if "decision" in answer:
        if answer["decision"] != "block":
            found.append("decision is not block")
        if event not in BLOCKABLE:
            found.append(f"{event} cannot be blocked")
        if not _is_text(answer.get("reason")):
            found.append("a block without a reason")
    elif "reason" in answer:
        found.append("a reason without a decision")
    if "systemMessage" in answer:
        found += _bounded("systemMessage", answer["systemMessage"])
    if "hookSpecificOutput" in answer:
        specific = answer["hookSpecificOutput"]
        found += _specific_faults(event, specific) if isinstance(specific, dict) else ["hookSpecificOutput is no object"]
    return found


def _specific_faults(event: str, specific: dict[str, object]) -> list[str]:
    fields = {key: value for key, value in specific.items() if key != "hookEventName"}
    found = [f"{event} has no {key}" for key in fields if key not in SPECIFIC.get(event, ())]
    if specific.get("hookEventName") != event:
        found.append("hookEventName is not the event")
    if not fields:
        found.append("hookSpecificOutput says nothing")
    if "permissionDecision" in fields and fields["permissionDecision"] not in ("allow", "deny", "ask"):
        found.append("permissionDecision is none of the three")
    if "permissionDecision" in fields and not _is_text(fields.get("permissionDecisionReason")):
        found.append("a permission decision without a reason")
    if "permissionDecisionReason" in fields and "permissionDecision" not in fields:
        found.append("a reason without a permission decision")
    if "updatedInput" in fields and (not isinstance(fields["updatedInput"], dict) or fields.get("permissionDecision") == "deny"):
        found.append("updatedInput is no object, or beside a refusal")
    if "additionalContext" in fields:
        found += _bounded("additionalContext", fields["additionalContext"])
    if "action" in fields and fields["action"] not in ("accept", "decline", "cancel"):
        found.append("action is none of the three")
    if "decision" in fields:
        found += _behaviour_faults(fields["decision"])
    return found


def _behaviour_faults(decision: object) -> list[str]:
    if not isinstance(decision, dict):
        return ["decision is no object"]
    allowed = {"allow": {"behavior", "updatedInput"}, "deny": {"behavior", "message"}}.get(decision.get("behavior", ""))
    if allowed is None:
        return ["behavior is neither allow nor deny"]
    return [f"{key} beside {decision['behavior']}" for key in decision if key not in allowed]


def _bounded(name: str, value: object) -> list[str]:
    if not _is_text(value):
        return [f"{name} is no text"]
    assert isinstance(value, str)
    return [] if len(value) <= LIMIT else [f"{name} beyond the limit"]


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())
