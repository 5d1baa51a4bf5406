"""Refuses commits while a protected branch is checked out.

## Refused
    (main is checked out)  git commit -m x          git -C . commit          bash -c 'git commit'
    (main is checked out)  git merge feature        git cherry-pick abc      git revert abc

## Passes
Commits on any other branch, before the first commit, in the middle of a merge, and in another repository that is not on a
protected branch.

## Why
What is on the shared branch is everybody's. Work belongs on a branch of its own until it is reviewed.

## How to satisfy it
`git switch -c NAME` takes the work along; commit there.

## Known limits
`git pull` is let through: it brings the branch up to date. Where the folder of the command is not known, the project's is taken.
"""

from __future__ import annotations

from holdfast.core.facts import Request, reading_of, repository_of
from holdfast.core.policy import CLOSE, Policy
from holdfast.core.policy import Config as BaseConfig
from holdfast.core.shell.effects import COMMITS
from holdfast.core.shell.scope import from_root
from holdfast.core.verdict import SILENCE, Verdict, deny

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.core.event import CommandProposed
    from holdfast.core.facts import Facts


class Config(BaseConfig):
    """Settings of commit-on-main."""

    branches: tuple[str, ...] = ("main", "master")
    """The branches that are not committed to."""


def needs(event: CommandProposed, config: Config) -> tuple[Request, ...] | None:
    """Ask for what the command does, and for the repository that it stands in."""
    return (reading_of(event.command), repository_of(event.head.cwd)) if event.command.strip() else None


def decide(event: CommandProposed, facts: Facts, config: Config) -> Verdict:
    """Refuse a commit on a protected branch."""
    cwd = event.head.cwd
    place = facts.repository(cwd)
    commits = [effect for effect in facts.reading(event.command).of(COMMITS) if effect.detail != "pull"]
    here = [effect for effect in commits if not _elsewhere(effect.folder or "", cwd, place.root)]
    if not here or not place.root or place.merging or not place.has_commits or place.branch not in config.branches:
        return SILENCE
    return deny(
        "commit-on-protected-branch",
        f"`{' '.join(here[0].words)[:160]}` commits to {place.branch}.",
        remedy="Make a branch first with `git switch -c NAME`, then commit there; the work comes along.",
    )


def _elsewhere(folder: str, cwd: str, root: str) -> bool:
    return bool(folder) and from_root(folder, cwd, root).startswith(("/", "~", ".."))


def summary(config: Config) -> str:
    """Say what is enforced."""
    return f"commits are refused while {' or '.join(config.branches)} is checked out"


POLICY = Policy("commit-on-main", decide, needs, Config(), posture=CLOSE, summary=summary)
