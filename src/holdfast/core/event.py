"""What the host told us, normalised: one type per thing that can happen.

An event is a value. It carries no host's field names; `hosts` translates. Events that no policy knows
become `OtherEvent`: they are recorded and pass.
"""

from __future__ import annotations

from holdfast.core.record import Record


class Head(Record):
    """What every event has in common."""

    host: str = "claude-code"
    name: str = ""
    """The host's own name of the event, such as PreToolUse."""
    session: str = ""
    cwd: str = ""
    prompt: str = ""
    """Id of the user prompt that this turn answers."""
    agent: str = ""
    """Id of the subagent that acted; empty for the main thread."""
    agent_type: str = ""
    tool: str = ""
    tool_use: str = ""
    """Id of the tool call."""
    permission_mode: str = ""


class Event(Record):
    """Base of all events."""

    head: Head


class FileEdit(Record):
    """One file that an edit writes: whole content, or one replacement."""

    path: str
    content: str | None = None
    """The whole new content, where the tool gives it."""
    old: str = ""
    new: str = ""
    replace_all: bool = False


class EditProposed(Event):
    """The agent wants to write files."""

    files: tuple[FileEdit, ...] = ()


class EditMade(Event):
    """The agent wrote files."""

    files: tuple[FileEdit, ...] = ()
    created: bool = False


class CommandProposed(Event):
    """The agent wants to run a shell command."""

    command: str = ""
    background: bool = False


class CommandRan(Event):
    """A shell command ended, or went into the background."""

    command: str = ""
    exit_code: int | None = None
    """None when the host did not say: in the background, interrupted, or a benign non-zero status."""
    output: str = ""
    output_file: str = ""
    """Where the host keeps the complete output of a long one."""
    background: bool = False
    interrupted: bool = False


class ToolFailed(Event):
    """A tool other than the shell failed."""

    error: str = ""


class PromptGiven(Event):
    """A prompt reached the agent."""

    text: str = ""
    typed: bool = True
    """False for prompts that a machine made, such as task notifications."""


class StopRequested(Event):
    """The agent wants to end its turn."""

    last_message: str = ""
    already_blocked: bool = False
    background_tasks: int = 0


class SubagentStarted(Event):
    """A subagent begins."""


class SubagentStopping(Event):
    """A subagent wants to end."""

    last_message: str = ""
    already_blocked: bool = False
    transcript: str = ""


class SessionStarted(Event):
    """A session begins or goes on."""

    source: str = ""
    """startup, resume, clear, compact or fork."""
    model: str = ""


class SessionEnded(Event):
    """A session ends."""

    reason: str = ""


class CompactionStarting(Event):
    """The host is about to shorten the conversation."""

    trigger: str = ""
    instructions: str = ""


class TaskCompleting(Event):
    """A task is about to be marked as done."""

    task: str = ""
    subject: str = ""


class OtherEvent(Event):
    """Anything that no policy cares about."""

    detail: str = ""


def kind(event: Event) -> str:
    """Return the name of the event's type, as the catalog and the store write it."""
    return type(event).__name__


def subject(event: Event) -> str:
    """Return in one line what the event is about: files, command, source, reason."""
    if isinstance(event, (EditProposed, EditMade)):
        return ", ".join(file.path for file in event.files[:20])
    if isinstance(event, (CommandProposed, CommandRan)):
        return one_line(event.command)
    for field in ("text", "source", "reason", "trigger", "subject", "error", "detail", "last_message"):
        value = getattr(event, field, "")
        if value and isinstance(value, str):
            return one_line(value)
    return event.head.agent_type


def one_line(text: str, most: int = 2_000) -> str:
    """Return the beginning of a text with all white space folded. Cut first: a payload may be huge."""
    return " ".join(text[:most].split())
