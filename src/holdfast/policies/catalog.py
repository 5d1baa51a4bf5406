"""The list of all policies: the table of contents, and all that the hook knows before it imports one."""

from __future__ import annotations

from holdfast.core.record import Record
from holdfast.core.settings import ENFORCE, OFF, WARN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.core.policy import Policy
    from holdfast.core.settings import Settings


class Entry(Record):
    """One policy: its id, the events that wake it, the profiles that have it."""

    id: str
    events: tuple[str, ...]
    """Names of event types."""
    since: str
    """The mildest profile that enforces it: standard, strict or full."""
    gate: bool
    """It refuses, so it fails closed and the host is told to block when it cannot start."""
    summary: str
    """What it does, in one line for the agent and the person."""
    covers: tuple[str, ...] = ()
    """Names of other systems' hooks that it takes the place of."""
    effects: tuple[str, ...] = ()
    """Kinds of effect of a command that it looks at; a command without any of them does not wake it. Empty: every command."""
    strict: tuple[tuple[str, bool], ...] = ()
    """Settings of its own that the profiles from strict on give it."""

    @property
    def module(self) -> str:
        """The module that holds the policy."""
        return "holdfast.policies." + self.id.replace("-", "_")


CATALOG = (
    Entry(
        "catastrophic-command",
        events=("CommandProposed",),
        since="standard",
        gate=True,
        effects=("deletes", "writes", "code", "configures", "opaque"),
        summary="commands that destroy what cannot be brought back are refused",
        covers=("guard.sh, nuclear deny",),
        strict=(("ask_unreadable", True),),
    ),
    Entry(
        "commit-on-main",
        events=("CommandProposed",),
        since="strict",
        gate=True,
        effects=("commits",),
        summary="commits are refused while a protected branch is checked out",
        covers=("guard.sh, check 2",),
    ),
    Entry(
        "destructive-git",
        events=("CommandProposed",),
        since="standard",
        gate=True,
        effects=("rewrites-history",),
        summary="before git throws work away, the person is asked (strict: it is refused)",
        covers=("guard.sh, check 4",),
        strict=(("refuse", True),),
    ),
    Entry(
        "edit-on-main",
        events=("EditProposed",),
        since="strict",
        gate=True,
        summary="source edits are refused while a protected branch is checked out",
        covers=("branch-guard",),
    ),
    Entry(
        "force-push",
        events=("CommandProposed",),
        since="standard",
        gate=True,
        effects=("pushes",),
        summary="pushes that overwrite or delete shared branches are refused",
        covers=("guard.sh, check 3",),
    ),
    Entry(
        "masked-test-run",
        events=("CommandProposed",),
        since="standard",
        gate=False,
        effects=("tests",),
        summary="tells the agent when the result of a test run is thrown away",
    ),
    Entry(
        "safe-command",
        events=("CommandProposed",),
        since="standard",
        gate=False,
        summary="commands that are plainly safe are approved without a prompt",
        covers=("auto-review",),
    ),
    Entry(
        "session-brief",
        events=("SessionStarted",),
        since="standard",
        gate=False,
        summary="tells the agent at session start the branch, uncommitted work and what is enforced",
        covers=("session-init",),
    ),
    Entry(
        "session-summary",
        events=("StopRequested",),
        since="standard",
        gate=False,
        summary="tells the person at a stop what the session did",
        covers=("session-summary",),
    ),
    Entry(
        "skipped-checks",
        events=("CommandProposed",),
        since="standard",
        gate=True,
        effects=("commits", "pushes", "configures"),
        summary="commits and pushes that switch the project's checks off are refused",
    ),
    Entry(
        "tampering",
        events=("CommandProposed", "EditProposed"),
        since="standard",
        gate=True,
        effects=("writes", "deletes", "configures"),
        summary="changes by the agent of Holdfast's files, the hooks' wiring and git's hooks are refused",
    ),
    Entry(
        "temp-write",
        events=("CommandProposed",),
        since="strict",
        gate=True,
        effects=("writes",),
        summary="what commands write to the system's temporary folder goes into the project's own",
        covers=("guard.sh, check 1",),
    ),
    Entry(
        "worktree-removal",
        events=("CommandProposed",),
        since="standard",
        gate=True,
        effects=("deletes",),
        summary="removing the worktree that the session stands in is refused",
        covers=("guard.sh, check 5",),
    ),
)

_ORDER = ("standard", "strict", "full")


def profile_mode(entry: Entry, profile: str) -> str:
    """Return the mode that a profile gives to a policy."""
    if profile == "observe":
        return WARN
    return ENFORCE if _ORDER.index(entry.since) <= _ORDER.index(profile) else OFF


def entry_of(policy: str) -> Entry | None:
    """Return the entry with this id."""
    for entry in CATALOG:
        if entry.id == policy:
            return entry
    return None


def awake(kind: str, settings: Settings) -> tuple[Entry, ...]:
    """Return the policies that an event of this type wakes."""
    return tuple(entry for entry in CATALOG if kind in entry.events and settings.of(entry.id).mode != OFF)


def load(entry: Entry) -> Policy:
    """Import a policy. Only here does its module get loaded."""
    # __import__ and not importlib: that package is not loaded yet, and costs more than the policy
    module = __import__(entry.module, fromlist=["POLICY"])
    policy: Policy = module.POLICY
    return policy
