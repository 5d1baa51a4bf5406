"""Facts: what policies may ask about the world.

A policy names the facts that it needs as requests; the program fetches each once and hands them in. A
policy cannot fetch anything, and cannot see a fact that it did not declare.
"""

from __future__ import annotations

from holdfast.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.core.ledger.tally import Tally
    from holdfast.core.shell.effects import Reading


class Request(Record):
    """A fact that is needed: its kind and what it is about."""

    kind: str
    about: str = ""


def repository_of(path: str) -> Request:
    """Ask for the repository that holds this path."""
    return Request("repository", path)


def working_tree_of(path: str) -> Request:
    """Ask for the state of the working tree that holds this path. Starts git: not for every event."""
    return Request("working_tree", path)


def reading_of(command: str) -> Request:
    """Ask for what a shell command does. Starts the parser, unless the command was read before."""
    return Request("reading", command)


TALLY = Request("tally")
"""Ask for what this session did so far."""
ENFORCEMENT = Request("enforcement")
"""Ask for what is enforced here."""


class Unknown(Record):
    """A fact that could not be had, and why."""

    why: str


class Repository(Record):
    """The git repository of a path, as its files tell without starting git."""

    root: str = ""
    """The working tree's folder; empty when the path is in no repository."""
    relative: str = ""
    """The path as seen from there, links resolved."""
    branch: str = ""
    """The branch that is checked out; empty when detached."""
    has_commits: bool = False
    merging: bool = False
    """A merge, cherry-pick, revert or rebase is going on, in which git does not switch branches."""
    in_git_dir: bool = False
    """The path lies inside the .git folder itself."""


class WorkingTree(Record):
    """What git says about uncommitted work."""

    dirty: int = 0
    untracked: int = 0


class Enforcement(Record):
    """The profile and the mode of each policy that is on."""

    profile: str = ""
    enforced: tuple[tuple[str, str], ...] = ()
    """Id and summary of each policy that is enforced."""
    warned: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    """What is wrong with the configuration."""


class Facts:
    """The facts that were fetched for one policy."""

    def __init__(self, known: dict[Request, object]) -> None:
        self._known = known

    def _get(self, request: Request) -> object:
        if request not in self._known:
            raise LookupError(f"fact {request.kind!r} was not declared by this policy")
        return self._known[request]

    def repository(self, path: str) -> Repository:
        """Return the repository that holds this path."""
        found = self._get(repository_of(path))
        assert isinstance(found, Repository)
        return found

    def working_tree(self, path: str) -> WorkingTree:
        """Return the state of the working tree that holds this path."""
        found = self._get(working_tree_of(path))
        assert isinstance(found, WorkingTree)
        return found

    def reading(self, command: str) -> Reading:
        """Return what a shell command does."""
        from holdfast.core.shell.effects import Reading

        found = self._get(reading_of(command))
        assert isinstance(found, Reading)
        return found

    def tally(self) -> Tally:
        """Return what this session did so far."""
        from holdfast.core.ledger.tally import Tally

        found = self._get(TALLY)
        assert isinstance(found, Tally)
        return found

    def enforcement(self) -> Enforcement:
        """Return what is enforced here."""
        found = self._get(ENFORCEMENT)
        assert isinstance(found, Enforcement)
        return found
