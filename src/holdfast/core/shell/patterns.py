"""Patterns over parsed commands: the program, its words in order, its options anywhere."""

from __future__ import annotations

from holdfast.core.globs import matches_name


def matches(pattern: str, words: tuple[str, ...]) -> bool:
    """Tell whether a pattern such as `docker compose up` or `git push --force` fits a command."""
    wanted = pattern.split()
    if not wanted or not words or not matches_name(wanted[0], words[0]):
        return False
    plain = [word for word in words[1:] if not word.startswith("-")]
    options = [word for word in words[1:] if word.startswith("-")]
    for one in wanted[1:]:
        if one.startswith("-"):
            if not any(matches_name(one, option) for option in options):
                return False
        elif not plain or not matches_name(one, plain.pop(0)):
            return False
    return True
