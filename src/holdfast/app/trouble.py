"""What went wrong, for a person: one line, and how to go on."""

from __future__ import annotations


class Unreadable(Exception):
    """The host's input could not be understood at all."""


class Trouble(Exception):
    """An error that the user can do something about."""

    def __init__(self, what: str, remedy: str, *, exit_code: int = 1) -> None:
        super().__init__(what)
        self.what = what
        self.remedy = remedy
        self.exit_code = exit_code
