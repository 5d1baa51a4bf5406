"""Changing words of a command where they stand, and nothing else of it."""

from __future__ import annotations


def with_words(command: str, changes: dict[tuple[int, int], str]) -> str | None:
    """Return the command with the words at these places replaced; None if a place is not known or two overlap."""
    data = command.encode("utf-8", "surrogatepass")
    last = len(data)
    for (begin, end), text in sorted(changes.items(), reverse=True):
        if begin < 0 or end > last or begin > end:
            return None
        data = data[:begin] + text.encode("utf-8") + data[end:]
        last = begin
    return data.decode("utf-8", "surrogatepass")
