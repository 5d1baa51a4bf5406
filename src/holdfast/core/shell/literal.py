"""What a literal piece of shell text stands for: escapes, quotes, braces."""

from __future__ import annotations

MOST_WORDS = 200
"""Words that one brace expression may make; beyond it the word is not known."""

_SIMPLE_ESCAPES = {
    "n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "e": "\x1b", "E": "\x1b",
    "\\": "\\", "'": "'", '"': '"', "?": "?",
}  # fmt: skip
_DIGITS = {"x": (2, 16), "u": (4, 16), "U": (8, 16)}


def unescaped(text: str) -> str:
    """Return unquoted text without its backslashes."""
    kept, at = [], 0
    while at < len(text):
        if text[at] == "\\" and at + 1 < len(text):
            if text[at + 1] != "\n":
                kept.append(text[at + 1])
            at += 2
        else:
            kept.append(text[at])
            at += 1
    return "".join(kept)


def unescaped_in_quotes(text: str) -> str:
    """Return double-quoted text without the backslashes that mean something there."""
    kept, at = [], 0
    while at < len(text):
        following = text[at + 1 : at + 2]
        if text[at] == "\\" and following in ("$", "`", '"', "\\", "\n"):
            if following != "\n":
                kept.append(following)
            at += 2
        else:
            kept.append(text[at])
            at += 1
    return "".join(kept)


def ansi_c(text: str) -> str:
    """Return the value of a $'…' text."""
    kept, at = [], 0
    while at < len(text):
        if text[at] != "\\" or at + 1 >= len(text):
            kept.append(text[at])
            at += 1
            continue
        sign = text[at + 1]
        if sign in _SIMPLE_ESCAPES:
            kept.append(_SIMPLE_ESCAPES[sign])
            at += 2
        elif sign in _DIGITS or sign in "01234567":
            value, at = _number(text, at + 1)
            kept.append(value)
        elif sign == "c" and at + 2 < len(text):
            kept.append(chr(ord(text[at + 2]) & 0x1F))
            at += 3
        else:
            kept.append("\\" + sign)
            at += 2
    return "".join(kept)


def _number(text: str, at: int) -> tuple[str, int]:
    """Return the character of a numeric escape that begins after its backslash, and where it ends."""
    most, base = _DIGITS.get(text[at], (3, 8))
    start = at + 1 if text[at] in _DIGITS else at
    digits = "0123456789abcdef"[:base]
    end = start
    while end < len(text) and end - start < most and text[end].lower() in digits:
        end += 1
    if end == start:
        return "\\" + text[at], at + 1
    value = int(text[start:end], base)
    return (chr(value) if value < 0x110000 else "\ufffd"), end


def is_pattern(text: str) -> bool:
    """Tell whether unquoted text has a pattern character that is not escaped."""
    at = 0
    while at < len(text):
        if text[at] == "\\":
            at += 2
            continue
        if text[at] in "*?[":
            return True
        at += 1
    return False


def has_braces(text: str) -> bool:
    """Tell whether unquoted text may be a brace expression."""
    opening = text.find("{")
    return opening >= 0 and "}" in text[opening:] and ("," in text[opening:] or ".." in text[opening:])


def braces(text: str) -> list[str] | None:
    """Return the words that a brace expression makes; None when they are too many or not plain."""
    if "\\" in text:
        return None
    try:
        words = _expanded(text, 0)
    except ValueError:
        return None
    return words if len(words) <= MOST_WORDS else None


def _expanded(text: str, depth: int) -> list[str]:
    if depth > 8:
        raise ValueError("nested too deeply")
    start = text.find("{")
    while start >= 0:
        end = _closing(text, start)
        if end < 0:
            return [text]
        choices = _choices(text[start + 1 : end])
        if choices is not None:
            tails = _expanded(text[end + 1 :], depth)
            heads = [one for choice in choices for one in _expanded(choice, depth + 1)]
            if len(heads) * len(tails) > MOST_WORDS:
                raise ValueError("too many")
            return [text[:start] + head + tail for head in heads for tail in tails]
        start = text.find("{", start + 1)
    return [text]


def _closing(text: str, start: int) -> int:
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] == "{") - (text[at] == "}")
        if depth == 0:
            return at
    return -1


def _choices(inside: str) -> list[str] | None:
    parts, depth, current = [], 0, ""
    for sign in inside:
        depth += (sign == "{") - (sign == "}")
        if sign == "," and depth == 0:
            parts.append(current)
            current = ""
        else:
            current += sign
    if parts:
        return [*parts, current]
    first, dots, last = inside.partition("..")
    if dots and first.lstrip("-").isdigit() and last.lstrip("-").isdigit() and len(first) < 8 and len(last) < 8:
        low, high = int(first), int(last)
        if abs(high - low) > MOST_WORDS:
            raise ValueError("too many")
        return (
            [str(number) for number in range(low, high + 1)] if low <= high else [str(n) for n in range(low, high - 1, -1)]
        )
    if dots and len(first) == 1 and len(last) == 1 and first.isalpha() and last.isalpha():
        low, high = sorted((ord(first), ord(last)))
        return [chr(code) for code in range(low, high + 1)]
    return None
