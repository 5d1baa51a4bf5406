"""Moves what commands write to the system's temporary folder into the project's own.

## Refused
    bash -c 'echo x > /tmp/y'       (a command within a command, whose words cannot be changed in place)
Plain ones are rewritten: `pytest > /tmp/out; tail /tmp/out` becomes `mkdir -p tmp && pytest > tmp/out; tail tmp/out`.

## Passes
Reading from the temporary folder, writing inside the project, and what lies below a folder of the configuration's `allow`.

## Why
Files in the system's folder are seen by nobody, are left behind, and two sessions meet in them.

## How to satisfy it
Write to `tmp/` in the project, and keep that folder out of git.

## Known limits
What a program writes there by itself is not seen. A rewritten command says so to the agent.
"""

from __future__ import annotations

from holdfast.core.policy import CLOSE, REWRITER, Policy, needs_reading
from holdfast.core.policy import Config as BaseConfig
from holdfast.core.shell.editing import with_words
from holdfast.core.shell.effects import WRITES, Reading
from holdfast.core.verdict import SILENCE, Verdict, deny, rewrite

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.core.event import CommandProposed
    from holdfast.core.facts import Facts

_FOLDERS = ("/tmp", "/var/tmp", "/private/tmp")


class Config(BaseConfig):
    """Settings of temp-write."""

    folder: str = "tmp"
    """The project's own folder for temporary files."""
    allow: tuple[str, ...] = ("/tmp/claude",)
    """Folders below the system's that may be written, such as the host's own."""


def decide(event: CommandProposed, facts: Facts, config: Config) -> Verdict:
    """Move writes into the project, or refuse."""
    reading = facts.reading(event.command)
    written = [effect.path for effect in reading.of(WRITES) if is_temporary(effect.path, config)]
    if not written:
        return SILENCE
    # after a `cd`, the project's folder has another name; what cannot be renamed in place is refused
    moved_away = any(effect.folder not in ("", ".") for effect in reading.of(WRITES))
    changed = (
        with_words(event.command, _changes(reading, written, config)) if not reading.opaque and not moved_away else None
    )
    words = {
        word for effect in reading.effects for word, span in zip(effect.words, effect.spans, strict=False) if span[0] >= 0
    }
    covered = all(path in words for path in written)
    if changed is None or changed == event.command or not covered:
        remedy = f"Write to `{_moved(written[0], config)}` instead, below the project's own `{config.folder}/`."
        return deny("temp-write", f"{written[0]} is in the system's temporary folder.", remedy=remedy)
    folders = sorted({_moved(path, config).rpartition("/")[0] for path in written})
    changed = f"mkdir -p {' '.join(folders)} && {changed}"
    return rewrite(
        "temp-write", f"Temporary files go into the project's own {config.folder}/: `{changed[:300]}`.", {"command": changed}
    )


def is_temporary(path: str, config: Config) -> bool:
    """Tell whether a path lies in the system's temporary folder, and is not allowed there."""
    inside = any(path.startswith(f"{folder}/") for folder in _FOLDERS)
    return inside and not any(path == folder or path.startswith((f"{folder}/", f"{folder}-")) for folder in config.allow)


def _moved(path: str, config: Config) -> str:
    folder = next(folder for folder in _FOLDERS if path.startswith(f"{folder}/"))
    return f"{config.folder}/{path[len(folder) + 1 :]}"


def _changes(reading: Reading, written: list[str], config: Config) -> dict[tuple[int, int], str]:
    """Return the words that name what is written, wherever they stand, with their new text; other files there stay."""
    changes: dict[tuple[int, int], str] = {}
    for effect in reading.effects:
        for word, span in zip(effect.words, effect.spans, strict=False):
            plain = all(sign.isalnum() or sign in "/._-" for sign in word)
            ours = any(word == path or word.startswith(f"{path}/") for path in written)
            if ours and plain and span[0] >= 0:
                changes[span] = _moved(word, config)
    return changes


POLICY = Policy("temp-write", decide, needs_reading, Config(), posture=CLOSE, stage=REWRITER)
