"""Reading one command for people and tests, without a store."""

from __future__ import annotations

from holdfast.adapters.reading import fresh_reading
from holdfast.core.shell.effects import Reading


def reading_of(command: str, program: str) -> Reading:
    """Return what a command does, parsed by this program."""
    return fresh_reading(command, program)
