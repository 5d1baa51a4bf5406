"""What a policy says, and how what several say becomes one outcome.

A verdict is one policy's word. An outcome is the set of all that was said; its decision is the strictest
word in it. Merging outcomes is set union, so order, grouping and repetition cannot matter and a refusal
cannot get lost.
"""

from __future__ import annotations

from holdfast.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

NOTHING, NOTE, ALLOW, REWRITE, ASK, DENY, BLOCK = (
    "nothing",
    "note",
    "allow",
    "rewrite",
    "ask",
    "deny",
    "block",
)

STRENGTH = {NOTHING: 0, NOTE: 1, REWRITE: 2, ALLOW: 3, ASK: 4, DENY: 5, BLOCK: 5}
"""How strict each decision is. Deny (before an action) and block (at a stop) are equally strict; a rewrite decides
nothing by itself, and goes along with whatever is decided on the rewritten input."""

REFUSALS = (DENY, BLOCK)

AGENT, PERSON = "agent", "person"
"""Who a note is for. A refusal is always told to the agent."""


class Verdict(Record):
    """What one policy says about one event."""

    decision: str = NOTHING
    reason: str = ""
    """What is wrong or worth knowing, naming the file."""
    remedy: str = ""
    """The one next command or step."""
    slug: str = ""
    """Stable name of this message, for searching and counting."""
    audience: str = AGENT
    rewritten: dict[str, Any] | None = None
    """The keys of the tool's input that change, with their new values; the rest is copied. Only with REWRITE."""

    def __hash__(self) -> int:
        return hash((self.decision, self.reason, self.slug))


SILENCE = Verdict()


def note(slug: str, reason: str, *, remedy: str = "", audience: str = AGENT) -> Verdict:
    """Say something without deciding anything."""
    return Verdict(NOTE, reason, remedy, slug, audience)


def allow(slug: str, reason: str) -> Verdict:
    """Let it pass without the host's own prompt. Only for what was understood to the last byte."""
    return Verdict(ALLOW, reason, "", slug)


def ask(slug: str, reason: str, *, remedy: str = "") -> Verdict:
    """Let the person decide."""
    return Verdict(ASK, reason, remedy, slug)


def deny(slug: str, reason: str, *, remedy: str) -> Verdict:
    """Refuse an action before it happens."""
    return Verdict(DENY, reason, remedy, slug)


def block(slug: str, reason: str, *, remedy: str) -> Verdict:
    """Refuse to stop."""
    return Verdict(BLOCK, reason, remedy, slug)


def rewrite(slug: str, reason: str, rewritten: dict[str, Any]) -> Verdict:
    """Change the tool's input; keys that are not named stay as they are."""
    return Verdict(REWRITE, reason, "", slug, AGENT, rewritten)


class Statement(Record):
    """One policy's verdict as it counts after mode and posture were applied."""

    policy: str
    decision: str
    reason: str = ""
    remedy: str = ""
    slug: str = ""
    audience: str = AGENT

    def order(self) -> tuple[str, ...]:
        """Key by which statements are sorted."""
        return (self.policy, self.decision, self.slug, self.reason, self.remedy, self.audience)


class Outcome(Record):
    """All that was said about one event."""

    statements: tuple[Statement, ...] = ()

    @property
    def decision(self) -> str:
        """The strictest decision; block before deny where both are said."""
        said = [statement.decision for statement in self.statements]
        return min(said, key=lambda word: (-STRENGTH[word], word), default=NOTHING)

    def deciding(self) -> tuple[Statement, ...]:
        """The statements that made the decision."""
        strength = STRENGTH[self.decision]
        return tuple(one for one in self.statements if STRENGTH[one.decision] == strength)

    def notes(self, audience: str) -> tuple[Statement, ...]:
        """The notes for this audience."""
        return tuple(one for one in self.statements if one.decision == NOTE and one.audience == audience)


QUIET = Outcome()


def outcome(statements: Iterable[Statement]) -> Outcome:
    """Make an outcome of statements, sorted and without repeats; silence says nothing."""
    said = {statement for statement in statements if statement.decision != NOTHING}
    return Outcome(tuple(sorted(said, key=Statement.order)))


def merge(*outcomes: Outcome) -> Outcome:
    """Join outcomes: commutative, associative, idempotent, and every refusal survives."""
    return outcome(statement for one in outcomes for statement in one.statements)
