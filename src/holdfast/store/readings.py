"""What commands do that were read before: an agent runs the same commands again and again."""

from __future__ import annotations

from holdfast.core.jsontext import NotJson, encode, parse
from holdfast.core.shell.effects import Reading, from_json, to_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.store.sqlite import Connection

MOST_TEXT = 200_000


def _key(command: str, version: str) -> bytes:
    # the interpreter's own hash, twice with different keys: 128 bits, and no module to load
    from _imp import source_hash

    text = f"{version}\n{command}".encode("utf-8", "surrogatepass")
    return bytes(source_hash(1, text) + source_hash(2, text))


def kept_reading(connection: Connection, command: str, version: str) -> Reading | None:
    """Return what a command does, if this version of the reader has read it before."""
    found = connection.execute("SELECT reading FROM reading WHERE command = ?", (_key(command, version),)).fetchone()
    try:
        return from_json(parse(found[0])) if found else None
    except NotJson:
        return None


def keep_reading(connection: Connection, command: str, version: str, reading: Reading) -> None:
    """Keep what a command does; a store that cannot take it does without."""
    from holdfast.store.sqlite import OperationalError

    text = encode(to_json(reading))
    if len(text) > MOST_TEXT:
        return
    try:
        connection.execute("INSERT OR REPLACE INTO reading VALUES (?, ?)", (_key(command, version), text))
    except OperationalError:
        pass
