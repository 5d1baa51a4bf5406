"""What a command does: from the store if it was read before, else by the parser and the reader."""

from __future__ import annotations

from holdfast import __version__
from holdfast.adapters.files import parent, stat
from holdfast.core.redaction import may_hold_secret
from holdfast.core.shell.effects import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from holdfast.store.opening import Store

MOST_ROUNDS = 6
"""How deeply commands may stand within texts of commands."""
_READER = f"{parent(parent(__file__.replace(chr(92), '/')))}/core/shell"


def reading_of(command: str, search_path: str, store: Store | None = None) -> Reading:
    """Return what a command does."""
    # what may hold a secret is not kept: neither the command nor its words may be written down
    if store is None or may_hold_secret(command):
        return fresh_reading(command, _parser(search_path))
    from holdfast.store.readings import keep_reading, kept_reading

    version = reader_version()
    kept = kept_reading(store.connection, command, version)
    if kept is not None:
        return kept
    program = _parser(search_path)
    reading = fresh_reading(command, program)
    if store.writable and program:
        keep_reading(store.connection, command, version, reading)
    return reading


def _parser(search_path: str) -> str:
    from holdfast.adapters.shell_parser import parser_path

    return parser_path(search_path)


def reader_version() -> str:
    """Return a text that changes when the reader is installed anew."""
    times = [str(stat(folder).st_mtime_ns) for folder in (_READER, f"{_READER}/tools")]
    return " ".join((__version__, *times))


def fresh_reading(command: str, program: str) -> Reading:
    """Read a command with this parser, and the commands within it."""
    from holdfast.adapters.shell_parser import syntax_of
    from holdfast.core.shell.reader import read_command

    trees: dict[str, dict[str, Any] | None] = {command: syntax_of(program, command)}
    reading = read_command(trees, command)
    for _round in range(MOST_ROUNDS):
        missing = [text for text in reading.wanted if text not in trees]
        if not missing:
            break
        trees.update((text, syntax_of(program, text)) for text in missing)
        reading = read_command(trees, command)
    return reading
