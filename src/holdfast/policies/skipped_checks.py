"""Refuses commits and pushes that switch the project's checks off.

## Refused
    git commit --no-verify      git commit -n              git push --no-verify
    git -c core.hooksPath=/dev/null commit                 git config core.hooksPath /dev/null
    HUSKY=0 git commit          SKIP=lint git commit       LEFTHOOK=0 git push

## Passes
Commits and pushes that let the hooks run; setting `core.hooksPath` to a folder of the project.

## Why
A check that fails is news. An agent in a hurry that skips it hides the news from everybody.

## How to satisfy it
Run the check, repair what it says, commit again without the option. A person who wants to skip it can do so in a terminal.

## Known limits
A hook that is edited or removed is for the policy `tampering`.
"""

from __future__ import annotations

from holdfast.core.policy import CLOSE, Policy, needs_reading
from holdfast.core.policy import Config as BaseConfig
from holdfast.core.shell.effects import COMMITS, CONFIGURES, PUSHES, RUNS, Effect, Reading
from holdfast.core.verdict import SILENCE, Verdict, deny

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.core.event import CommandProposed
    from holdfast.core.facts import Facts

_VARIABLES = ("HUSKY", "HUSKY_SKIP_HOOKS", "LEFTHOOK", "SKIP", "PRE_COMMIT_ALLOW_NO_CONFIG", "OVERCOMMIT_DISABLE")


class Config(BaseConfig):
    """Settings of skipped-checks."""

    variables: tuple[str, ...] = _VARIABLES
    """Variables that switch checks off."""


def decide(event: CommandProposed, facts: Facts, config: Config) -> Verdict:
    """Refuse what switches checks off."""
    reading = facts.reading(event.command)
    how = _how(reading, config)
    if not how:
        return SILENCE
    return deny(
        "skipped-checks",
        f"{how} switches the project's checks off.",
        remedy="Repair what the check says and run the command without it; a person can skip it in a terminal.",
    )


def _how(reading: Reading, config: Config) -> str:
    commits = reading.of(COMMITS, PUSHES)
    for effect in commits:
        if "no-verify" in effect.flags:
            return f"`{' '.join(effect.words)[:160]}`"
    for effect in reading.of(CONFIGURES):
        if effect.detail == "git:core.hookspath" and _leads_away(effect):
            return "`core.hooksPath`"
        if (
            commits
            and effect.words[0].startswith("GIT_CONFIG_KEY")
            and "value:core.hookspath" in [f.lower() for f in effect.flags]
        ):
            return "`core.hooksPath`"
        if commits and effect.detail == "variable" and effect.words and effect.words[0] in config.variables:
            return f"`{effect.words[0]}`"
    for effect in reading.of(RUNS):
        named = [name for name in effect.flags if name in config.variables]
        if commits and named:
            return f"`{named[0]}`"
    return ""


def _leads_away(effect: Effect) -> bool:
    if "unset" in effect.flags:
        return False
    values = [flag[6:] for flag in effect.flags if flag.startswith("value:")]
    own = [
        value for value in values if not value.startswith(("/", "~")) and (value.startswith(".") or "hook" in value.lower())
    ]
    return not own


POLICY = Policy("skipped-checks", decide, needs_reading, Config(), posture=CLOSE)
