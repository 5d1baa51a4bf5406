"""Judging one command by all policies on commands, for people and scripts: nothing is recorded."""

from __future__ import annotations

from typing import Any

from holdfast.adapters.facts import Fetcher, concerned
from holdfast.adapters.place import Place
from holdfast.adapters.reading import reading_of
from holdfast.core.engine import Judgement, World, judge
from holdfast.core.event import CommandProposed, Head
from holdfast.core.settings import Settings
from holdfast.core.shell.effects import COMMITS, Reading
from holdfast.core.verdict import ALLOW, ASK, REFUSALS
from holdfast.policies.catalog import awake, load

_FAR = 1e18


def classified(command: str, place: Place, settings: Settings, search_path: str) -> tuple[Reading, Judgement]:
    """Return what a command does, and what the policies say to it."""
    reading = reading_of(command, search_path)
    event = CommandProposed(Head(name="PreToolUse", tool="Bash", cwd=place.root), command)
    fetcher = Fetcher(event, settings, None, "no store is used", search_path)
    policies = tuple(load(entry) for entry in concerned(awake("CommandProposed", settings), command, fetcher))
    return reading, judge(event, policies, settings, World(fetcher, lambda: 0.0, _FAR, place.root))


def as_json(command: str, reading: Reading, judgement: Judgement) -> dict[str, Any]:
    """Return a classification as plain values."""
    decision = judgement.outcome.decision
    said = "deny" if decision in REFUSALS else decision if decision in (ALLOW, ASK) else "none"
    return {
        "command": command,
        "decision": said,
        "tier": tier(reading),
        "commit": bool(reading.of(COMMITS)),
        "effects": [{name: value for name, value in effect.__dict__.items() if value} for effect in reading.effects],
        "reasons": [one.reason for one in judgement.outcome.statements if one.decision != ALLOW] or list(reading.doubts),
    }


def tier(reading: Reading) -> str:
    """Return how safe a command is: safe, doubtful, or opaque."""
    if reading.opaque:
        return "opaque"
    return "doubtful" if reading.doubts else "safe"
