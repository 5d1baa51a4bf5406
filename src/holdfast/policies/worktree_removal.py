"""Refuses to remove the worktree that the session stands in.

## Refused
    (in /trees/feature)  git worktree remove /trees/feature        git worktree remove .

## Passes
Removing any other worktree, and listing, adding and pruning them.

## Why
When the folder of the session is gone, the host can start no hook and no command any more, and the session is stuck.

## How to satisfy it
Change into the main worktree first (`cd` there, in a command of its own), then remove the other one.

## Known limits
A worktree that is removed by deleting its folder is for the policies on deletions.
"""

from __future__ import annotations

from holdfast.core.policy import CLOSE, Policy, needs_reading
from holdfast.core.policy import Config as BaseConfig
from holdfast.core.shell.effects import DELETES
from holdfast.core.verdict import SILENCE, Verdict, deny

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.core.event import CommandProposed
    from holdfast.core.facts import Facts


class Config(BaseConfig):
    """Settings of worktree-removal."""


def decide(event: CommandProposed, facts: Facts, config: Config) -> Verdict:
    """Refuse if the session stands in what is removed."""
    for effect in facts.reading(event.command).of(DELETES):
        if effect.detail != "worktree":
            continue
        if _holds(effect.path, event.head.cwd):
            return deny(
                "worktree-of-the-session",
                f"`{' '.join(effect.words)}` removes the folder that this session stands in; nothing can be started after that.",
                remedy="Change into the main worktree with `cd`, in a command of its own, then remove the other.",
            )
    return SILENCE


def _holds(path: str, cwd: str) -> bool:
    """Tell whether the session's folder is this one or lies below it; `path` is as seen from there."""
    if path.startswith("/"):
        return f"{cwd}/".startswith(f"{path}/")
    return path == "." or (bool(path) and all(part == ".." for part in path.split("/")))


POLICY = Policy("worktree-removal", decide, needs_reading, Config(), posture=CLOSE)
