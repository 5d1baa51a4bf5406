"""What a command line does, as values: one effect per thing that happens, in the order in which it happens."""

from __future__ import annotations

from holdfast.core.record import Record

RUNS, READS, WRITES, DELETES = "runs", "reads", "writes", "deletes"
TESTS, COMMITS, REWRITES, PUSHES = "tests", "commits", "rewrites-history", "pushes"
CONFIGURES, NETWORK, CODE, OPAQUE = "configures", "network", "code", "opaque"
"""Kinds of effect. CODE: other code is run, of which the command line does not show what it does. OPAQUE: not understood."""


class Effect(Record):
    """One thing that a command line does."""

    kind: str
    words: tuple[str, ...] = ()
    """The words that it came from; what is not known stands as "…"."""
    folder: str | None = ""
    """Where it happens, as seen from where the command starts; None when that is not known."""
    path: str = ""
    """The file, for reads, writes and deletes."""
    detail: str = ""
    """What precisely: the verb of a commit, the reason of an opaque part, the runner of tests."""
    masked: str = ""
    """Why the status of what ran is thrown away; empty when it is kept."""
    flags: tuple[str, ...] = ()
    """Marks for the policies: recursive, force, no-verify, …"""


class Reading(Record):
    """All that was understood of a command line."""

    effects: tuple[Effect, ...] = ()
    doubts: tuple[str, ...] = ()
    """Why it is not plainly safe; empty when every part is."""
    wanted: tuple[str, ...] = ()
    """Texts that are commands themselves, whose syntax is needed before the reading is complete."""

    def of(self, *kinds: str) -> tuple[Effect, ...]:
        """Return the effects of these kinds."""
        return tuple(effect for effect in self.effects if effect.kind in kinds)

    @property
    def opaque(self) -> bool:
        """Whether any part was not understood."""
        return any(effect.kind == OPAQUE for effect in self.effects)
