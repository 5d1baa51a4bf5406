"""Refuses source edits while a protected branch is checked out.

## Refused
    (main is checked out)  Edit src/app.py
    (main is checked out)  Write src/new.py

## Passes
- edits on any other branch, and with a detached HEAD
- tests, documentation, configuration and generated files
- files outside a git repository, and in another repository that is not on a protected branch
- edits during a merge, cherry-pick, revert or rebase, which may need them (git does not switch branches then)
- edits before the first commit: there is nothing yet to branch from

## Why
Work on the branch that everyone shares cannot be thrown away, reviewed or tested apart from the rest. An agent
that starts there notices only at the commit, when it has already mixed its changes with others.

## How to satisfy it
Make a branch (`git switch -c NAME`) or a worktree, then edit again. Uncommitted work comes along.

## Known limits
Source is what has a suffix of a programming language and lies in no folder for tests, configuration or built files
(`tests`, `.github`, `node_modules`, `dist`, `build`, `target` and their kin); style sheets and markup are not source. Only
edits by file tools are seen here; what a shell command writes is for the policies on commands. The branch is read from the
repository of the file itself, so a file that a link leads to counts where it really lies.
"""

from __future__ import annotations

from holdfast.core.facts import Request, repository_of
from holdfast.core.paths import SOURCE, classify
from holdfast.core.policy import CLOSE, Policy
from holdfast.core.policy import Config as BaseConfig
from holdfast.core.verdict import SILENCE, Verdict, deny

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.core.event import EditProposed
    from holdfast.core.facts import Facts

MOST_NAMED = 3


class Config(BaseConfig):
    """Settings of edit-on-main."""

    branches: tuple[str, ...] = ("main", "master")
    """The branches on which source is not edited."""


def needs(event: EditProposed, config: Config) -> tuple[Request, ...] | None:
    """Ask for the repository of each file."""
    return tuple(repository_of(path) for path in _paths(event)) or None


def decide(event: EditProposed, facts: Facts, config: Config) -> Verdict:
    """Refuse if any file is source on a protected branch."""
    refused: list[str] = []
    branch = ""
    for path in _paths(event):
        place = facts.repository(path)
        if not place.root or place.in_git_dir or place.merging or not place.has_commits:
            continue
        if place.branch in config.branches and classify(place.relative) == SOURCE:
            refused.append(place.relative)
            branch = place.branch
    if not refused:
        return SILENCE
    named = ", ".join(refused[:MOST_NAMED]) + (f" and {len(refused) - MOST_NAMED} more" if refused[MOST_NAMED:] else "")
    verb = "is" if len(refused) == 1 else "are"
    return deny(
        "source-edit-on-protected-branch",
        f"{named} {verb} source, and the branch {branch} is checked out.",
        remedy="Make a branch first with `git switch -c NAME`, then edit again; uncommitted work comes along.",
    )


def _paths(event: EditProposed) -> tuple[str, ...]:
    return tuple(dict.fromkeys(file.path for file in event.files))


def summary(config: Config) -> str:
    """Say what is enforced."""
    return f"source edits are refused while {' or '.join(config.branches)} is checked out"


POLICY = Policy("edit-on-main", decide, needs, Config(), posture=CLOSE, summary=summary)
