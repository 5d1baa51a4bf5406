"""How the command line writes: one console, one palette, JSON where asked."""

from __future__ import annotations

import json
import time
from typing import Any

from rich.console import Console
from rich.text import Text

STYLES = {
    "deny": "bold red", "block": "bold red", "ask": "yellow", "rewrite": "magenta", "allow": "green", "note": "cyan",
    "nothing": "dim", "ok": "green", "fail": "bold red", "warn": "yellow", "enforce": "green", "off": "dim",
}  # fmt: skip


def console() -> Console:
    """Return the console for standard output."""
    return Console(highlight=False, soft_wrap=False)


def styled(word: str) -> Text:
    """Return a word of ours in its colour."""
    return Text(word, style=STYLES.get(word, ""))


def print_json(value: Any) -> None:
    """Write a value as JSON."""
    print(json.dumps(value, indent=2, default=str))


def clock(at: float) -> str:
    """Return a moment as local time, with the day if it was not today."""
    day = time.strftime("%Y-%m-%d", time.localtime(at))
    today = time.strftime("%Y-%m-%d")
    return time.strftime("%H:%M:%S" if day == today else "%Y-%m-%d %H:%M:%S", time.localtime(at))


def milliseconds(seconds: float) -> str:
    """Return a duration for the eye."""
    return f"{seconds * 1000:.1f} ms"
