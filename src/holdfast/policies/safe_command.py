"""Approves commands that are plainly safe, so that nobody is asked about them.

## Approved
Reading, searching, the project's own tests, linters, type checks and builds, `git status` and its kin, and lists, pipes and loops
of these: `cd src && rg -n TODO | head`, `pytest -q 2>&1 | tail -20`, `for f in *.py; do wc -l "$f"; done`.

## Stays silent
In every doubt: the host's own prompt appears. An option that writes or runs something, a variable that changes what programs do,
a file that may hold secrets, a redirect into a file, a word whose value is not known where it matters, syntax that is not
understood: one of them anywhere in the line is enough.

## Why
Prompts that are always answered with yes teach people to answer with yes.

## How to satisfy it
There is nothing to satisfy. `allow`, `ask` and `deny` take patterns over parsed commands: the program, its words in order, and
options anywhere: `docker compose up`, `npm run dev`, `git push --force`.

## Known limits
What tests and builds do is up to the project. An allowed pattern of the user's own counts only if every program of the line is
either plainly safe by itself or allowed, and nothing is written by a redirect.
"""

from __future__ import annotations

from holdfast.core.policy import Config as BaseConfig
from holdfast.core.policy import Policy, needs_reading
from holdfast.core.shell.effects import CONFIGURES, RUNS, WRITES, Reading
from holdfast.core.shell.patterns import matches
from holdfast.core.verdict import SILENCE, Verdict, allow, ask, deny

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.core.event import CommandProposed
    from holdfast.core.facts import Facts


class Config(BaseConfig):
    """Settings of safe-command."""

    allow: tuple[str, ...] = ()
    """Commands that are approved as well."""
    ask: tuple[str, ...] = ()
    """Commands that are asked about, whatever else."""
    deny: tuple[str, ...] = ()
    """Commands that are refused."""


def decide(event: CommandProposed, facts: Facts, config: Config) -> Verdict:
    """Approve what is plainly safe."""
    reading = facts.reading(event.command)
    runs = reading.of(RUNS)
    for pattern in config.deny:
        if any(matches(pattern, effect.words) for effect in runs):
            return deny(
                "denied-by-pattern", f"`{pattern}` is denied in this project.", remedy="Find another way, or ask the person."
            )
    for pattern in config.ask:
        if any(matches(pattern, effect.words) for effect in runs):
            return ask("asked-by-pattern", f"`{pattern}` is asked about in this project.")
    if runs and not reading.opaque and (not reading.doubts or _allowed(reading, config)):
        return allow("plainly-safe", "Every part of the command is plainly safe.")
    return SILENCE


def _allowed(reading: Reading, config: Config) -> bool:
    """Tell whether the user's own patterns cover every program that is not plainly safe."""
    if not config.allow or any(effect.detail == "redirect" for effect in reading.of(WRITES)) or reading.of(CONFIGURES):
        return False
    doubted = {doubt.partition(":")[0] for doubt in reading.doubts}
    covered = [effect for effect in reading.of(RUNS) if any(matches(pattern, effect.words) for pattern in config.allow)]
    names = {effect.words[0] for effect in covered}
    others = [effect for effect in reading.of(RUNS) if effect not in covered and effect.words[0] in names | doubted]
    return bool(covered) and doubted <= names and not others


POLICY = Policy("safe-command", decide, needs_reading, Config())
