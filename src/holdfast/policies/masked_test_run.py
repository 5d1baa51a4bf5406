"""Tells the agent when the result of a test run is thrown away.

## Says
    pytest || true            the status is thrown away: run it without `|| true`
    pytest | tail -5          only `tail` decides the status: put `set -o pipefail;` before it

## Stays silent
For test runs whose status counts, and for commands that run no tests.

## Why
A run whose failure cannot be seen proves nothing, and the agent that reads its tail believes that it does.

## How to satisfy it
Run the tests so that their status is the command's: `set -o pipefail; pytest | tail -5`.

## Known limits
It informs and refuses nothing. What a script does with the status of tests inside it is not seen.
"""

from __future__ import annotations

from holdfast.core.policy import Config as BaseConfig
from holdfast.core.policy import Policy, needs_reading
from holdfast.core.shell.effects import TESTS
from holdfast.core.verdict import SILENCE, Verdict, note

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.core.event import CommandProposed
    from holdfast.core.facts import Facts


class Config(BaseConfig):
    """Settings of masked-test-run."""


def decide(event: CommandProposed, facts: Facts, config: Config) -> Verdict:
    """Say that a result will be thrown away."""
    for effect in facts.reading(event.command).of(TESTS):
        if not effect.masked or "no-run" in effect.flags:
            continue
        piped = "pipe" in effect.masked
        remedy = f"Run `set -o pipefail; {event.command}`." if piped else "Run the tests as the last command, by themselves."
        run = " ".join(effect.words)[:120]
        return note("masked-test-run", f"Whether `{run}` passes cannot be seen: {effect.masked}.", remedy=remedy)
    return SILENCE


POLICY = Policy("masked-test-run", decide, needs_reading, Config())
