"""Asks before git throws work away.

## Asked
    git reset --hard       git clean -fd        git branch -D x        git checkout -- .
    git restore .          git stash drop       git reflog expire      git filter-branch
In the profile `strict` and above these are denied.

## Passes
`git clean -n`, `git restore --staged`, `git branch -d` of a merged branch, and everything that loses nothing.

## Why
Uncommitted work and unreachable commits cannot be brought back, and a person may well want just that: so the person is asked.

## How to satisfy it
Commit or stash first (`git stash push -u`), or let the person do it.

## Known limits
Whether there is anything to lose is not looked at.
"""

from __future__ import annotations

from holdfast.core.policy import CLOSE, Policy, needs_reading
from holdfast.core.policy import Config as BaseConfig
from holdfast.core.shell.effects import REWRITES
from holdfast.core.verdict import SILENCE, Verdict, ask, deny

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.core.event import CommandProposed
    from holdfast.core.facts import Facts

_INSTEAD = {
    "reset --hard": "Keep the changes with `git stash push -u`, or reset softly with `git reset --keep`.",
    "clean": "See what would go with `git clean -nd`, or keep it with `git stash push -u`.",
    "branch -D": "Delete a merged branch with `git branch -d`.",
    "stash drop": "Look at it first with `git stash show -p`.",
}
_HARMLESS = ("rebase", "amend", "commit")
"""Rewriting one's own commits is ordinary work; the policies on commits and pushes see it."""


class Config(BaseConfig):
    """Settings of destructive-git."""

    refuse: bool = False
    """Deny instead of asking."""


def decide(event: CommandProposed, facts: Facts, config: Config) -> Verdict:
    """Ask about the first thing that throws work away."""
    for effect in facts.reading(event.command).of(REWRITES):
        if effect.detail in _HARMLESS:
            continue
        reason = f"`{' '.join(effect.words)[:200]}` throws work away ({effect.detail})."
        remedy = _INSTEAD.get(effect.detail, "Commit or stash the work first: `git stash push -u`.")
        return (
            deny("work-thrown-away", reason, remedy=remedy)
            if config.refuse
            else ask("work-thrown-away", reason, remedy=remedy)
        )
    return SILENCE


POLICY = Policy("destructive-git", decide, needs_reading, Config(), posture=CLOSE)
