"""The contract of a policy: one file, one id, one pure `decide`.

A policy module has a docstring (its documentation page), a `Config` record with its own settings, and a
`POLICY`. Mode, path filters, crashes and recording belong to the engine.
"""

from __future__ import annotations

from holdfast.core.facts import reading_of
from holdfast.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from holdfast.core.event import CommandProposed, Event
    from holdfast.core.facts import Facts, Request
    from holdfast.core.verdict import Verdict

CLOSE, OPEN = "close", "open"
"""Posture when a policy or a fact that it needs fails: refuse, or let pass with a note."""

JUDGE, REWRITER = "judge", "rewriter"


class Config(Record):
    """Base of every policy's own settings. Field types: bool, int, float, str, tuple[str, ...]."""


class Policy(Record):
    """One rule."""

    id: str
    decide: Callable[[Any, Facts, Any], Verdict]
    """Rule on an event with the facts that were asked for. Pure and total."""
    needs: Callable[[Any, Any], tuple[Request, ...] | None]
    """Return the facts that this event needs, or None if the event does not concern the policy."""
    config: Config = Config()
    posture: str = OPEN
    stage: str = JUDGE
    summary: Callable[[Any], str] | None = None
    """Say in one line what is enforced with these settings; the catalog's summary where there is none."""


def configured(policy: Policy, own: dict[str, Any]) -> Config:
    """Return the policy's settings with the user's values put in."""
    return policy.config.replace(**own) if own else policy.config


def needs_reading(event: CommandProposed, _config: Config) -> tuple[Request, ...] | None:
    """For a policy that needs to know what a command does, and nothing else."""
    return (reading_of(event.command),) if event.command.strip() else None


def concerns_always(_event: Event, _config: Config) -> tuple[Request, ...]:
    """For a policy that needs no facts and is concerned by every event that wakes it."""
    return ()
