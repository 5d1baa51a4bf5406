"""Where effects and doubts are gathered while a command line is read."""

from __future__ import annotations

from holdfast.core.shell.effects import OPAQUE, Effect, Reading
from holdfast.core.shell.scope import Scope, Word
from holdfast.core.shell.secrets import is_secret

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_EFFECTS = 2_000


class TooMuch(Exception):
    """The command line does more than is worth following."""


class Story:
    """The effects of a command line, in order, and why it is not plainly safe."""

    def __init__(self) -> None:
        self.effects: list[Effect] = []
        self.doubts: list[str] = []
        self.wanted: list[str] = []
        self.secret_named = False
        """Whether any word so far names a file that may hold secrets."""

    def tell(self, effect: Effect) -> None:
        """Add an effect."""
        if len(self.effects) >= MOST_EFFECTS:
            raise TooMuch
        self.effects.append(effect)
        self.secret_named = self.secret_named or any(is_secret(word) for word in effect.words)

    def doubt(self, why: str) -> None:
        """Say why the command line is not plainly safe."""
        if why not in self.doubts and len(self.doubts) < 50:
            self.doubts.append(why)

    def opaque(self, why: str, words: Iterable[Word] = (), scope: Scope | None = None) -> None:
        """Say that a part was not understood."""
        folder = scope.folder if scope is not None else ""
        self.tell(Effect(OPAQUE, tuple(word.shown for word in words), folder, detail=why))
        self.doubt(why)

    def reading(self) -> Reading:
        """Return what was gathered."""
        return Reading(tuple(self.effects), tuple(self.doubts), tuple(self.wanted))
