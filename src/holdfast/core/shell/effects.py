"""What a command line does, as values: one effect per thing that happens, in the order in which it happens."""

from __future__ import annotations

from holdfast.core.jsontext import as_dict, as_list, as_text
from holdfast.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

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
    spans: tuple[tuple[int, int], ...] = ()
    """Where each word stands in the command, in bytes; (-1, -1) where that cannot be said."""


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

    def __repr__(self) -> str:
        # without the words: this is written down, and words may be secrets that no pattern knows
        kinds = ", ".join(dict.fromkeys(effect.kind for effect in self.effects))
        return f"Reading({kinds or 'nothing'}; {len(self.doubts)} doubts)"

    @property
    def opaque(self) -> bool:
        """Whether any part was not understood."""
        return any(effect.kind == OPAQUE for effect in self.effects)


def to_json(reading: Reading) -> dict[str, Any]:
    """Return a reading as plain JSON values, for the cache."""
    effects = [
        [
            one.kind,
            list(one.words),
            one.folder,
            one.path,
            one.detail,
            one.masked,
            list(one.flags),
            [list(span) for span in one.spans],
        ]
        for one in reading.effects
    ]
    return {"effects": effects, "doubts": list(reading.doubts)}


def from_json(value: object) -> Reading | None:
    """Return the reading that `to_json` wrote; None for anything else."""
    found = as_dict(value)
    effects = []
    for item in as_list(found.get("effects")):
        if not isinstance(item, list) or len(item) != 8:
            return None
        kind, words, folder, path, detail, masked, flags, spans = item
        texts = tuple(as_text(word) for word in as_list(words))
        marks = tuple(as_text(flag) for flag in as_list(flags))
        place = folder if folder is None or isinstance(folder, str) else None
        places = tuple((span[0], span[1]) for span in as_list(spans) if isinstance(span, list) and len(span) == 2)
        effects.append(Effect(as_text(kind), texts, place, as_text(path), as_text(detail), as_text(masked), marks, places))
    if "effects" not in found:
        return None
    return Reading(tuple(effects), tuple(as_text(doubt) for doubt in as_list(found.get("doubts"))))
