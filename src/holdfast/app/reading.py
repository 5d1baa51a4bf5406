"""Reading a command with everything that it takes: the parser, and the parser again for commands within the command."""

from __future__ import annotations

from holdfast.adapters.shell_parser import syntax_of
from holdfast.core.shell.effects import Reading
from holdfast.core.shell.reader import read_command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOST_ROUNDS = 6
"""How deeply commands may stand within texts of commands."""


def reading_of(command: str, program: str) -> Reading:
    """Return what a command does."""
    trees: dict[str, dict[str, Any] | None] = {command: syntax_of(program, command)}
    reading = read_command(trees, command)
    for _round in range(MOST_ROUNDS):
        missing = [text for text in reading.wanted if text not in trees]
        if not missing:
            break
        trees.update((text, syntax_of(program, text)) for text in missing)
        reading = read_command(trees, command)
    return reading
