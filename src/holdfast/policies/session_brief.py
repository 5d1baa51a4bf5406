"""Tells the agent at session start where it stands and what is enforced.

## Says
    Git: branch feature/login, 3 uncommitted files (1 untracked).
    Enforced (profile strict): edit-on-main – source edits are refused while a protected branch is checked out.

## Stays silent
Never: the brief is one short paragraph at the start, after a resume, a clear and a compaction.

## Why
An agent that knows the rules before it acts does not spend a turn on a refusal, and one that knows about
uncommitted work does not mistake it for its own.

## How to satisfy it
There is nothing to satisfy: it informs.

## Known limits
The working tree is counted by git itself, within a time limit; in a very large repository the counts may be
missing, and the brief says so.
"""

from __future__ import annotations

from holdfast.core.facts import ENFORCEMENT, Enforcement, Repository, Request, WorkingTree, repository_of, working_tree_of
from holdfast.core.policy import Config as BaseConfig
from holdfast.core.policy import Policy
from holdfast.core.verdict import Verdict, note

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.core.event import SessionStarted
    from holdfast.core.facts import Facts


class Config(BaseConfig):
    """Settings of session-brief."""

    git: bool = True
    """Say the branch and count uncommitted files."""


def needs(event: SessionStarted, config: Config) -> tuple[Request, ...]:
    """Ask for the repository, the working tree and what is enforced."""
    git = (repository_of(event.head.cwd), working_tree_of(event.head.cwd)) if config.git else ()
    return (ENFORCEMENT, *git)


def decide(event: SessionStarted, facts: Facts, config: Config) -> Verdict:
    """Say where the session stands."""
    lines = []
    if config.git:
        place = facts.repository(event.head.cwd)
        lines.append(_git_line(place, facts.working_tree(event.head.cwd)))
    lines.append(_rules_line(facts.enforcement()))
    return note("session-brief", "\n".join(lines))


def _git_line(place: Repository, tree: WorkingTree) -> str:
    if not place.root:
        return "Git: this folder is in no repository."
    where = f"branch {place.branch}" if place.branch else "detached HEAD"
    if not place.has_commits:
        where += ", no commit yet"
    if place.merging:
        where += ", operation like a merge in progress"
    return f"Git: {where}, {_count(tree)}."


def _count(tree: WorkingTree) -> str:
    if tree.dirty < 0:
        return "uncommitted files not counted (git did not answer in time)"
    if not tree.dirty:
        return "nothing uncommitted"
    files = "1 uncommitted file" if tree.dirty == 1 else f"{tree.dirty} uncommitted files"
    return f"{files} ({tree.untracked} untracked)" if tree.untracked else files


def _rules_line(rules: Enforcement) -> str:
    said = []
    if rules.enforced:
        gates = "; ".join(f"{id} – {summary}" for id, summary in rules.enforced)
        said.append(f"Enforced (profile {rules.profile}): {gates}.")
    if rules.warned:
        watched = ", ".join(rules.warned)
        alone = "Holdfast says what it would have refused, and stops nothing"
        manner = "only says what it would have refused" if rules.enforced else alone
        said.append(f"Observed (profile {rules.profile}): {watched}; {manner}.")
    return "\n".join(said) or f"Enforced (profile {rules.profile}): nothing is refused."


POLICY = Policy("session-brief", decide, needs, Config())
