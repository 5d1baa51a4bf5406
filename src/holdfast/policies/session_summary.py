"""Tells the person at a stop what the session did.

## Says
    2 files edited (src/app.py, tests/test_app.py), 5 commands (1 failed), 1 refusal; branch feature/login.

## Stays silent
When nothing happened since the last stop: no edit, no command, no refusal.

## Why
The person sees at a glance what was touched, without reading back through the conversation. The agent is not
told: at a stop, whatever it is told makes it go on.

## How to satisfy it
There is nothing to satisfy: it informs.

## Known limits
It counts what the agent's tools did. Files that commands wrote are not among the edited files.
"""

from __future__ import annotations

from holdfast.core.facts import TALLY, Request, repository_of
from holdfast.core.paths import relative
from holdfast.core.policy import Config as BaseConfig
from holdfast.core.policy import Policy
from holdfast.core.verdict import PERSON, SILENCE, Verdict, note

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.core.event import StopRequested
    from holdfast.core.facts import Facts
    from holdfast.core.ledger.tally import Tally


class Config(BaseConfig):
    """Settings of session-summary."""

    files_named: int = 3
    """How many edited files are named; the rest are counted."""


def needs(event: StopRequested, config: Config) -> tuple[Request, ...]:
    """Ask for the session's tally and the branch."""
    return (TALLY, repository_of(event.head.cwd))


def decide(event: StopRequested, facts: Facts, config: Config) -> Verdict:
    """Say what was done since the session began, if anything was done since the last stop."""
    tally = facts.tally()
    if tally.activity == tally.at_stop_before:
        return SILENCE
    place = facts.repository(event.head.cwd)
    parts = [_files(tally, place.root or event.head.cwd, config.files_named)]
    if tally.commands:
        failed = f" ({tally.failed_commands} failed)" if tally.failed_commands else ""
        parts.append(_plural(tally.commands, "command") + failed)
    if tally.refusals:
        parts.append(_plural(tally.refusals, "refusal"))
    branch = f"; branch {place.branch}" if place.branch else ""
    return note("session-summary", ", ".join(filter(None, parts)) + branch + ".", audience=PERSON)


def _files(tally: Tally, root: str, named: int) -> str:
    count = len(tally.files) + tally.more_files
    if not count:
        return ""
    names = [relative(path, root) for path in tally.files[:named]]
    if count > len(names):
        names.append("…")
    return f"{_plural(count, 'file')} edited ({', '.join(names)})"


def _plural(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


POLICY = Policy("session-summary", decide, needs, Config())
