"""What holds at a point of a command line: where it stands, which variables and functions are known."""

from __future__ import annotations

from holdfast.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

HOME = "~"
"""Stands for the user's home folder in paths."""


class Word(Record):
    """One word of a command, as far as it is known."""

    text: str | None = None
    """Its value; None when that is only known when the command runs."""
    pattern: bool = False
    """It has unquoted pattern characters, and stands for the files that match."""
    quoted: bool = False
    """It stays one word, whatever its value."""
    number: bool = False
    """It is a number, though not known which."""
    network: bool = False
    """Its value comes from another machine."""
    span: tuple[int, int] = (-1, -1)
    """Where it stands in the command, in bytes; (-1, -1) where that cannot be said."""

    @property
    def numeric(self) -> bool:
        """Whether it is a number for certain."""
        return self.number or (self.text is not None and self.text.lstrip("-").isdigit())

    @property
    def shown(self) -> str:
        """The word for the eye."""
        return self.text if self.text is not None else "…"


UNKNOWN = Word()


class Scope:
    """Variables, functions and the folder at one point."""

    def __init__(self, folder: str | None = "") -> None:
        self.folder = folder
        self.variables: dict[str, tuple[Word, ...] | None] = {"HOME": (Word(HOME),)}
        """Name → its words (one for a plain variable); None when the value is not known any more."""
        self.functions: dict[str, dict[str, Any]] = {}
        self.arrays: set[str] = set()
        self.pipefail = False
        self.errexit = False

    def inner(self) -> Scope:
        """Return a copy for a subshell, whose changes do not come back."""
        copy = Scope(self.folder)
        copy.variables = dict(self.variables)
        copy.functions = dict(self.functions)
        copy.arrays = set(self.arrays)
        copy.pipefail, copy.errexit = self.pipefail, self.errexit
        return copy

    def forget_changes(self, before: Scope) -> None:
        """Forget what may or may not have been assigned since: the part may not have run."""
        for name, value in self.variables.items():
            earlier = before.variables.get(name, ())
            if earlier != value:
                numbers = value is not None and earlier is not None and all(word.numeric for word in (*value, *earlier))
                self.variables[name] = (Word(None, quoted=True, number=True),) if numbers else None
        if self.folder != before.folder:
            self.folder = None
        for name, body in self.functions.items():
            if before.functions.get(name) is not body and name in before.functions:
                self.functions[name] = {}


def joined(folder: str | None, path: str) -> str | None:
    """Return a path as seen from the start of the command; None when the folder is not known."""
    if path.startswith(("/", HOME)):
        return normal(path)
    if folder is None:
        return None
    return normal(f"{folder}/{path}" if folder else path)


def normal(path: str) -> str:
    """Return a path without empty parts, single dots and resolvable double dots."""
    kept: list[str] = []
    for part in path.split("/"):
        if part in ("", "."):
            continue
        if part == ".." and kept and kept[-1] not in ("..", HOME):
            kept.pop()
        elif part != ".." or not path.startswith("/"):
            kept.append(part)
    return ("/" if path.startswith("/") else "") + "/".join(kept) or "."


def from_root(path: str, cwd: str, root: str) -> str:
    """Return a path of an effect as seen from the project's root: "." for the root itself, with ".." for what lies above it.

    Effects have paths as seen from where the command starts; paths outside of the project stay absolute.
    """
    if not path or path.startswith(HOME) or not cwd or not root:
        return path
    absolute = normal(path if path.startswith("/") else f"{cwd}/{path}")
    if absolute == root:
        return "."
    if absolute.startswith(f"{root.rstrip('/')}/"):
        return absolute[len(root.rstrip("/")) + 1 :]
    if f"{root}/".startswith(f"{absolute.rstrip('/')}/") and not path.startswith("/"):
        return "/".join([".."] * (root.count("/") - absolute.count("/") + (absolute == "/")))
    return absolute if path.startswith("/") else path
