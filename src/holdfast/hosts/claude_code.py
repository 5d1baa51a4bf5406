"""Claude Code: its hook input as events, and verdicts as its hook output (2.1.325, all 33 events).

The only module that knows this host's field names. `read` is total: any JSON value gives an event.
`write` says only what the event can express, by the table `CHANNELS`.
"""

from __future__ import annotations

from holdfast.core.event import (
    CommandProposed,
    CommandRan,
    CompactionStarting,
    EditMade,
    EditProposed,
    Event,
    FileEdit,
    Head,
    OtherEvent,
    PromptGiven,
    SessionEnded,
    SessionStarted,
    StopRequested,
    SubagentStarted,
    SubagentStopping,
    TaskCompleting,
    ToolFailed,
)
from holdfast.core.jsontext import as_dict, as_list, as_text, encode, first_text
from holdfast.core.record import Record
from holdfast.core.verdict import AGENT, ALLOW, ASK, NOTE, REFUSALS, REWRITE, Statement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from holdfast.core.verdict import Outcome

HOST = "claude-code"
EDIT_TOOLS = ("Edit", "MultiEdit", "NotebookEdit", "Write")
SHELL_TOOLS = ("Bash", "PowerShell")
MOST_CONTEXT = 9_500
"""The host moves longer context into a file (limit 10,000 characters)."""

# How an event can be refused, and how the agent can be told something.
PERMISSION, DECISION, BEHAVIOR, EXIT, ACTION, NO = "permission", "decision", "behavior", "exit", "action", ""
FIELD, PLAIN = "field", "plain"


class Channel(Record):
    """What an event can express.

    A verdict that cannot be said becomes the next best thing: a refusal without a channel a note to the
    agent; an ask a refusal where there is something to refuse, else a note; an allow or a rewrite silence; a
    note to the agent one to the person; a note to the person silence. The ledger has it all.
    """

    refuse: str = NO
    context: str = NO
    """How the agent is told: a field, plain output, or not at all (at a stop, context would go on with the turn)."""
    person: bool = True
    asks: bool = False
    allows: bool = False
    rewrites: bool = False
    pending: bool = False
    """An action waits for the answer, so that an ask that cannot be put must refuse."""


_MUTE = Channel(person=False)
_TELLS_PERSON = Channel()
_TELLS_AGENT = Channel(context=FIELD)

CHANNELS: dict[str, Channel] = {
    "PreToolUse": Channel(PERMISSION, FIELD, asks=True, allows=True, rewrites=True, pending=True),
    "PermissionRequest": Channel(BEHAVIOR, allows=True, rewrites=True),  # the person is being asked already
    "PermissionDenied": _MUTE,
    "PostToolUse": Channel(DECISION, FIELD),
    "PostToolUseFailure": Channel(DECISION, FIELD),
    "PostToolBatch": _TELLS_AGENT,  # exit 2 would end the turn, which no verdict means
    "UserPromptSubmit": Channel(DECISION, FIELD, pending=True),
    "UserPromptExpansion": Channel(DECISION, FIELD, pending=True),
    "Stop": Channel(DECISION),
    "StopFailure": _MUTE,
    "SubagentStart": _TELLS_AGENT,
    "SubagentStop": Channel(DECISION),
    "TaskCreated": Channel(DECISION, pending=True),
    "TaskCompleted": Channel(DECISION, person=False, pending=True),
    "TeammateIdle": Channel(EXIT, pending=True),
    "SessionStart": _TELLS_AGENT,
    "SessionEnd": _MUTE,
    "Setup": _TELLS_AGENT,
    "PreCompact": Channel(DECISION, PLAIN, pending=True),
    "PostCompact": _MUTE,
    "PreModelSwitch": Channel(PERMISSION, asks=True, allows=True, pending=True),
    "PostModelSwitch": _TELLS_AGENT,
    "Notification": _MUTE,
    "InstructionsLoaded": _MUTE,
    "ConfigChange": Channel(DECISION, pending=True),
    "CwdChanged": _TELLS_PERSON,
    "FileChanged": _TELLS_PERSON,
    "DirectoryAdded": _TELLS_PERSON,
    "WorktreeCreate": _MUTE,  # its output is the path of the worktree: never answer
    "WorktreeRemove": _MUTE,
    "Elicitation": Channel(ACTION, person=False, pending=True),
    "ElicitationResult": Channel(ACTION, person=False, pending=True),
    "MessageDisplay": _MUTE,
}


class Reply(Record):
    """What goes back to the host."""

    stdout: str = ""
    stderr: str = ""
    exit_code: int = 0


def read(payload: object, name: str = "") -> Event:
    """Return the event of a payload. `name` is what the hook was started for, should the payload not say."""
    fields = as_dict(payload)
    tool_input = as_dict(fields.get("tool_input")) or as_dict(fields.get("arguments"))
    head = Head(
        host=HOST,
        name=first_text(fields, "hook_event_name") or name,
        session=first_text(fields, "session_id"),
        cwd=first_text(fields, "cwd"),
        prompt=first_text(fields, "prompt_id"),
        agent=first_text(fields, "agent_id"),
        agent_type=first_text(fields, "agent_type", "subagent_type"),
        tool=first_text(fields, "tool_name", "tool"),
        tool_use=first_text(fields, "tool_use_id"),
        permission_mode=first_text(fields, "permission_mode"),
    )
    if head.name in ("PreToolUse", "PermissionRequest"):
        return _proposal(head, tool_input)
    if head.name == "PostToolUse":
        return _success(head, tool_input, fields.get("tool_response"))
    if head.name == "PostToolUseFailure":
        return _failure(head, tool_input, fields)
    return _lifecycle(head, fields)


def _proposal(head: Head, tool_input: dict[str, Any]) -> Event:
    if head.name == "PermissionRequest":
        # A request for permission repeats a call that PreToolUse has already shown.
        return OtherEvent(head, head.tool)
    if head.tool in EDIT_TOOLS:
        return EditProposed(head, _edits(tool_input))
    if head.tool in SHELL_TOOLS or (head.tool == "Monitor" and as_text(tool_input.get("command"))):
        return CommandProposed(head, as_text(tool_input.get("command")), tool_input.get("run_in_background") is True)
    return OtherEvent(head, head.tool)


def _edits(tool_input: dict[str, Any]) -> tuple[FileEdit, ...]:
    """Return the files of a file tool's input, in the shapes of all versions."""
    path = first_text(tool_input, "file_path", "notebook_path", "path")
    if not path:
        # one level of each only: no version ever nested them
        files = [{**as_dict(item), "files": None} for item in as_list(tool_input.get("files"))]
        edits = [{**as_dict(item), "files": None, "edits": None} for item in as_list(tool_input.get("edits"))]
        return tuple(edit for item in files + edits for edit in _edits(item))
    if isinstance(tool_input.get("edits"), list):
        pieces = [as_dict(piece) for piece in as_list(tool_input["edits"])]
        return tuple(_replacement(path, piece) for piece in pieces) or (FileEdit(path),)
    content = tool_input.get("content")
    return (FileEdit(path, content),) if isinstance(content, str) else (_replacement(path, tool_input),)


def _replacement(path: str, piece: dict[str, Any]) -> FileEdit:
    new = first_text(piece, "new_string", "new_source")
    return FileEdit(path, None, as_text(piece.get("old_string")), new, piece.get("replace_all") is True)


def _success(head: Head, tool_input: dict[str, Any], response: object) -> Event:
    answer = as_dict(response)
    if head.tool in EDIT_TOOLS:
        if answer.get("staged") is True:
            return OtherEvent(head, "held for review, nothing written")
        return EditMade(head, _edits(tool_input), answer.get("type") == "create")
    if head.tool not in SHELL_TOOLS:
        return OtherEvent(head, head.tool)
    background = bool(answer.get("backgroundTaskId"))
    interrupted = answer.get("interrupted") is True or bool(answer.get("timedOutAfterMs"))
    uncertain = background or interrupted or bool(answer.get("returnCodeInterpretation"))
    return CommandRan(
        head,
        command=as_text(tool_input.get("command")),
        exit_code=None if uncertain or not answer else 0,
        output=as_text(answer.get("stdout")) or as_text(response),
        output_file=as_text(answer.get("persistedOutputPath")),
        background=background,
        interrupted=interrupted,
    )


def _failure(head: Head, tool_input: dict[str, Any], fields: dict[str, Any]) -> Event:
    error = as_text(fields.get("error"))
    if head.tool not in SHELL_TOOLS:
        return ToolFailed(head, error)
    first, _, output = error.partition("\n")
    words = first.split()
    said = words[2] if words[:2] == ["Exit", "code"] and len(words) == 3 else ""
    return CommandRan(
        head,
        command=as_text(tool_input.get("command")),
        exit_code=int(said) if said.isascii() and said.isdigit() and len(said) < 6 else None,
        output=output if said else error,
        interrupted=fields.get("is_interrupt") is True,
    )


def _lifecycle(head: Head, fields: dict[str, Any]) -> Event:
    last_message = first_text(fields, "last_assistant_message", "response")
    blocked = fields.get("stop_hook_active") is True
    if head.name == "Stop":
        return StopRequested(head, last_message, blocked, len(as_list(fields.get("background_tasks"))))
    if head.name == "SubagentStop":
        return SubagentStopping(head, last_message, blocked, as_text(fields.get("agent_transcript_path")))
    if head.name == "SubagentStart":
        return SubagentStarted(head)
    if head.name == "SessionStart":
        return SessionStarted(head, as_text(fields.get("source")), as_text(fields.get("model")))
    if head.name == "SessionEnd":
        return SessionEnded(head, as_text(fields.get("reason")))
    if head.name == "UserPromptSubmit":
        prompt = as_text(fields.get("prompt"))
        machine = prompt.lstrip().startswith("<task-notification>") or fields.get("source") not in (None, "user", "sdk")
        return PromptGiven(head, prompt, typed=not machine)
    if head.name == "PreCompact":
        return CompactionStarting(head, as_text(fields.get("trigger")), as_text(fields.get("custom_instructions")))
    if head.name == "TaskCompleted":
        return TaskCompleting(head, as_text(fields.get("task_id")), as_text(fields.get("task_subject")))
    return OtherEvent(head, first_text(fields, "message", "error", "file_path", "source", "trigger", "command_name"))


def write(name: str, outcome: Outcome, rewritten: dict[str, Any] | None = None) -> Reply:
    """Return the answer to an event of this name."""
    channel = CHANNELS.get(name, _MUTE)
    refusals, asks, for_agent, for_person = _fitted(channel, outcome)
    answer: dict[str, Any] = {}
    specific: dict[str, Any] = {}
    if refusals:
        if channel.refuse == EXIT:
            return Reply(stderr="\n\n".join(map(told, refusals)) + "\n", exit_code=2)
        _refuse(channel, refusals, answer, specific)
    elif asks:
        specific.update(permissionDecision="ask", permissionDecisionReason=_joined(asks))
    elif outcome.decision == ALLOW and channel.allows:
        _allow(channel, outcome, rewritten, specific)
    if rewritten is not None and channel.rewrites and not refusals:
        if channel.refuse == PERMISSION:
            specific["updatedInput"] = rewritten
        # the agent's own transcript keeps the call as it made it
        for_agent = [one for one in outcome.statements if one.decision == REWRITE] + for_agent
    if for_agent and channel.context == PLAIN and not refusals:
        return Reply(stdout=_joined(for_agent)[:MOST_CONTEXT] + "\n")
    if for_agent and channel.context == FIELD:
        specific["additionalContext"] = _joined(for_agent)[:MOST_CONTEXT]
    if for_person and channel.person:
        answer["systemMessage"] = _joined(for_person)[:MOST_CONTEXT]
    if specific:
        answer["hookSpecificOutput"] = {"hookEventName": name, **specific}
    return Reply(stdout=encode(answer) + "\n") if answer else Reply()


def _fitted(channel: Channel, outcome: Outcome) -> tuple[list[Statement], list[Statement], list[Statement], list[Statement]]:
    """Sort statements into refusals, asks, notes to the agent and notes to the person that can be said."""
    refusals: list[Statement] = []
    asks: list[Statement] = []
    for_agent: list[Statement] = []
    for_person: list[Statement] = []
    for one in outcome.statements:
        if one.decision in REFUSALS:
            (refusals if channel.refuse else for_agent).append(one)
        elif one.decision == ASK:
            unable = refusals if channel.refuse and channel.pending else for_person
            (asks if channel.asks else unable).append(one)
        elif one.decision == NOTE:
            (for_agent if one.audience == AGENT else for_person).append(one)
    if not channel.context:
        for_person, for_agent = for_agent + for_person, []
    return refusals, asks, for_agent, for_person


def _refuse(channel: Channel, refusals: list[Statement], answer: dict[str, Any], specific: dict[str, Any]) -> None:
    reason = _joined(refusals)
    if channel.refuse == PERMISSION:
        specific.update(permissionDecision="deny", permissionDecisionReason=reason)
    elif channel.refuse == DECISION:
        answer.update(decision="block", reason=reason)
    elif channel.refuse == BEHAVIOR:
        specific["decision"] = {"behavior": "deny", "message": reason}
    elif channel.refuse == ACTION:
        specific["action"] = "decline"


def _allow(channel: Channel, outcome: Outcome, rewritten: dict[str, Any] | None, specific: dict[str, Any]) -> None:
    if channel.refuse == BEHAVIOR:
        changed = {"updatedInput": rewritten} if rewritten is not None else {}
        specific["decision"] = {"behavior": "allow", **changed}
    else:
        specific.update(permissionDecision="allow", permissionDecisionReason=_joined(list(outcome.deciding())))


def _joined(statements: list[Statement]) -> str:
    return "\n\n".join(map(told, statements))


def told(statement: Statement) -> str:
    """Return a statement as the agent or the person reads it."""
    text = f"{statement.reason} {statement.remedy}".strip()
    return f"Holdfast ({statement.policy}): {text}" if statement.policy else f"Holdfast: {text}"
