"""JSON in and out, without the `json` package.

Importing `json` costs as much as starting the interpreter, because it imports `re`. The C scanner that
it is built on can be used directly; where an interpreter has none, `json` itself takes over.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    _quoted: Callable[[str], str]
    _make_scanner: Callable[[object], Callable[[str, int], tuple[Any, int]]] | None
else:
    try:
        from _json import encode_basestring_ascii as _quoted
        from _json import make_scanner as _make_scanner
    except ImportError:  # an interpreter without the C accelerator
        _make_scanner = None


class NotJson(ValueError):
    """The text is not one JSON document."""


class _Context:
    """What the C scanner asks of a decoder; numbers and constants as `json` reads them."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float
    memo: dict[str, str] = {}


def parse(text: str) -> Any:
    """Return the value of one JSON document; raise NotJson for anything else."""
    start = len(text) - len(text.lstrip(" \t\r\n\ufeff"))
    try:
        value, end = _scan(text, start)
    except (StopIteration, ValueError, RecursionError, MemoryError, SystemError) as error:
        # SystemError: the scanner wanted to raise an exception of the json package, which is not loaded
        raise NotJson(f"not JSON: {type(error).__name__}") from None
    if text[end:].strip(" \t\r\n\0"):
        raise NotJson("text after the JSON document")
    return value


def _scan(text: str, start: int) -> tuple[Any, int]:
    if _make_scanner is None:
        import json

        return json.JSONDecoder(strict=False).raw_decode(text, start)
    return _make_scanner(_Context)(text, start)


def encode(value: object) -> str:
    """Return the value as one line of ASCII JSON; what JSON cannot say becomes its text."""
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        # NaN and the infinities are not JSON, though Python reads them
        return float.__repr__(value) if value - value == 0 else "null"
    if isinstance(value, dict):
        return "{" + ",".join(f"{quoted(str(key))}:{encode(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join([encode(item) for item in value]) + "]"
    return quoted(str(value))


def quoted(text: str) -> str:
    """Return the text as a JSON string in ASCII."""
    if _make_scanner is None:
        import json

        return json.dumps(text)
    return _quoted(text)


def as_dict(value: object) -> dict[str, Any]:
    """Return the value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[Any]:
    """Return the value if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def as_text(value: object) -> str:
    """Return the value if it is text, else the empty text."""
    return value if isinstance(value, str) else ""


def first_text(mapping: dict[str, Any], *keys: str) -> str:
    """Return the first of these keys that holds non-empty text."""
    for key in keys:
        value = mapping.get(key)
        if isinstance(value, str) and value:
            return value
    return ""
