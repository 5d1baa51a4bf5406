"""Reducer: what a session did so far, folded from its events."""

from __future__ import annotations

from holdfast.core.event import CommandRan, EditMade, Event, PromptGiven, StopRequested
from holdfast.core.jsontext import as_dict, as_list
from holdfast.core.record import Record
from holdfast.core.redaction import redacted
from holdfast.core.verdict import REFUSALS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FOLDED = ("SessionStarted", "PromptGiven", "EditMade", "CommandRan", "StopRequested", "SessionEnded")
"""Types of event that the ledger needs, whether a policy wants them or not."""

MOST_FILES = 500
"""Names of changed files that are kept; beyond it they are only counted."""


class Tally(Record):
    """Counts of one session."""

    files: tuple[str, ...] = ()
    """Files that edits wrote, first written first."""
    more_files: int = 0
    edits: int = 0
    commands: int = 0
    failed_commands: int = 0
    prompts: int = 0
    stops: int = 0
    refusals: int = 0
    at_stop: int = 0
    """Activity at the latest stop."""
    at_stop_before: int = 0
    """Activity at the stop before that one."""

    @property
    def activity(self) -> int:
        """How much happened: edits, commands and refusals."""
        return self.edits + self.commands + self.refusals


def fold(tally: Tally, event: Event, decision: str) -> Tally:
    """Return the tally after this event, on which this was decided."""
    if decision in REFUSALS:
        tally = tally.replace(refusals=tally.refusals + 1)
    if isinstance(event, EditMade):
        return _with_files(tally, tuple(redacted(file.path) for file in event.files))
    if isinstance(event, CommandRan):
        failed = tally.failed_commands + (event.exit_code not in (None, 0))
        return tally.replace(commands=tally.commands + 1, failed_commands=failed)
    if isinstance(event, PromptGiven):
        return tally.replace(prompts=tally.prompts + event.typed)
    if isinstance(event, StopRequested):
        return tally.replace(stops=tally.stops + 1, at_stop=tally.activity, at_stop_before=tally.at_stop)
    return tally


def _with_files(tally: Tally, paths: tuple[str, ...]) -> Tally:
    files, more = tally.files, tally.more_files
    for path in paths:
        if path in files:
            continue
        if len(files) < MOST_FILES:
            files = (*files, path)
        else:
            more += 1
    return tally.replace(files=files, more_files=more, edits=tally.edits + 1)


def to_json(tally: Tally) -> dict[str, Any]:
    """Return the tally as plain JSON values."""
    return {name: list(value) if name == "files" else value for name, value in tally.__dict__.items()}


def from_json(value: object) -> Tally:
    """Return the tally that `to_json` wrote; what is missing or of another type counts as nothing."""
    found = as_dict(value)
    counts = {name: found[name] for name in Tally.fields() if name != "files" and type(found.get(name)) is int}
    files = tuple(path for path in as_list(found.get("files")) if isinstance(path, str))
    return Tally(files=files, **counts)
