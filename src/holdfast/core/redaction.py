"""Taking secrets and bulk out of what is written down.

Everything that reaches the store, a log or a projection goes through here first. Regular expressions are
slow to import, so a cheap look for tell-tale words comes first: text without any of them holds nothing
that the patterns would find (a property test proves that).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOST_TEXT = 8_000
"""Characters of one text that are kept."""
MOST_TOTAL = 64_000
"""Characters of one payload that are kept."""
MARGIN = 8_000
"""Longest secret (a private key) that may lie astride a cut."""
EDGE = 400
"""Longest other secret, of which only a part may stand at the edge of the margin."""
MOST_BITS = 4_000
"""Size of a number that is kept."""
MOST_DEPTH = 40
MOST_ITEMS = 2_000

TELLTALES = (
    "secret", "token", "passw", "_pwd", "passphrase", "apikey", "api_key", "api-key", "accesskey", "access_key",
    "access-key", "private_key", "private-key", "privatekey", "private key", "credential", "bearer", "authorization",
    "cookie", "sk-", "sk_", "rk-", "rk_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "xox",
    "npm_", "pypi-", "hf_", "dop_v1", "shpat_",
)  # fmt: skip
"""Lower-case text that occurs wherever a secret is found, unless one of the next does."""
EXACT_TELLTALES = ("AKIA", "ASIA", "AIza", "eyJ", "SG.")

PATTERNS = (
    # whole keys and certificates
    r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|\Z)",
    # tokens that are known by their form
    r"\b(?:sk|rk)[-_](?:ant-|live_|test_|proj-)?[A-Za-z0-9_-]{16,}",
    r"\bgh[pousr]_[A-Za-z0-9]{20,}",
    r"\bgithub_pat_[A-Za-z0-9_]{20,}",
    r"\bglpat-[A-Za-z0-9_-]{16,}",
    r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}",
    r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
    r"\bAIza[A-Za-z0-9_-]{30,}",
    r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?",
    r"\b(?:npm_|hf_|dop_v1_|shpat_)[A-Za-z0-9]{20,}",
    r"\bpypi-[A-Za-z0-9_-]{20,}",
    r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}",
)
_NAMES = r"(?:secret|token|passw(?:or)?d|_pwd|passphrase|api[_-]?key|access[_-]?key|private[_-]?key|credentials?)"
# A quote may be escaped, as in JSON inside a quoted shell word. Everything is bounded: a text of thousands of
# characters must not take time that grows with its square.
_QUOTE = r"(?:\\?['\"])?"
_VALUE = r"(?![\s'\"$<{(*\[\\])[^\s'\"`,;&|)}\]\\]{6,}"
KEEPING_NAME = (
    # scheme://user:password@host
    r"(://[^\s/:@'\"]{0,100}:)(?!\[redacted\])[^\s/@'\"]{1,200}(?=@)",
    # Authorization: Bearer x; Cookie: a=x; b=y
    rf"(\b(?:authorization|(?:set-)?cookie){_QUOTE}\s{{0,4}}[:=]\s{{0,4}}{_QUOTE})(?![\s'\"$<{{(*\[])[^'\"\r\n\\]{{6,}}",
    r"(\bbearer\s{1,4})(?=[A-Za-z._~+/=-]{0,60}[0-9])[A-Za-z0-9._~+/=-]{12,}",
    # NAME_TOKEN=x, "password": "x"
    rf"({_NAMES}[A-Za-z0-9_-]{{0,40}}{_QUOTE}\s{{0,4}}[=:]\s{{0,4}}{_QUOTE}){_VALUE}",
    # --api-key x
    rf"((?<![A-Za-z0-9-])--?[A-Za-z0-9-]{{0,30}}{_NAMES}[A-Za-z0-9-]{{0,30}}\s{{1,4}}{_QUOTE})(?!-){_VALUE}",
)

_SECRET_KEYS = (
    "password", "passwd", "secret", "token", "apikey", "accesskey", "privatekey", "passphrase", "authorization", "cookie",
    "secretkey", "credential", "credentials",
)  # fmt: skip
_compiled: list[Any] = []


def redacted(text: str) -> str:
    """Return the text with everything that looks like a secret replaced."""
    return _by_pattern(text) if may_hold_secret(text) else text


def may_hold_secret(text: str) -> bool:
    """Tell whether the patterns are worth trying: false only if none of them can match."""
    lowered = text.lower()
    for telltale in TELLTALES:
        if telltale in lowered:
            return True
    for telltale in EXACT_TELLTALES:
        if telltale in text:
            return True
    return "://" in text and "@" in text


def _by_pattern(text: str) -> str:
    import re

    if not _compiled:
        _compiled.append(re.compile("|".join(PATTERNS), re.DOTALL | re.ASCII))
        _compiled.extend(re.compile(pattern, re.IGNORECASE | re.ASCII) for pattern in KEEPING_NAME)
    text = _compiled[0].sub("[redacted]", text)
    for pattern in _compiled[1:]:
        text = pattern.sub(r"\1[redacted]", text)
    return text


def written_form(value: object) -> object:
    """Return a JSON value fit to be stored: secrets out, long texts cut, nesting and size bounded."""
    return _Writer().fit(value, 0)


class _Writer:
    """Walks a value once and keeps count of what was kept."""

    def __init__(self) -> None:
        self.left = MOST_TOTAL

    def fit(self, value: object, depth: int) -> object:
        if isinstance(value, str):
            return self._text(value)
        self.left -= 8
        if depth >= MOST_DEPTH and isinstance(value, (dict, list)):
            return "[nested too deeply]"
        if isinstance(value, dict):
            return self._mapping(value, depth)
        if isinstance(value, list):
            kept = [self.fit(item, depth + 1) for item in value[:MOST_ITEMS] if self.left > 0]
            return kept if len(kept) == len(value) else [*kept, f"[{len(value) - len(kept)} more left out]"]
        if isinstance(value, int) and value.bit_length() > MOST_BITS:
            return "[a very long number]"
        return value

    def _mapping(self, value: dict[Any, Any], depth: int) -> dict[str, object]:
        kept: dict[str, object] = {}
        for key, item in value.items():
            if self.left <= 0 or len(kept) >= MOST_ITEMS:
                kept["…"] = f"[{len(value) - len(kept)} more left out]"
                break
            name = self._text(str(key))
            secret = isinstance(item, str) and item and names_secret(name)
            kept[name] = "[redacted]" if secret else self.fit(item, depth + 1)
        return kept

    def _text(self, text: str) -> str:
        most = max(min(MOST_TEXT, self.left), 0)
        text = redacted(text) if len(text) <= most else _cut(text, most // 2)
        if len(text) > MOST_TEXT + 40:  # what stands for a secret may be longer than the secret
            text = text[:MOST_TEXT]
        self.left -= len(text) + 8
        return text


def _cut(text: str, half: int) -> str:
    """Return both ends of a text.

    They are redacted with a margin before they are cut, so that no secret is cut in two first; and what stands at
    the very edge of the margin, where one may have been cut in two, is never kept.
    """
    head = text[: half + MARGIN]
    head = redacted(head)[:-EDGE] if len(head) < len(text) else redacted(head)
    tail = text[-half - MARGIN :]
    whole = len(tail) == len(text)
    end = tail.find("-----END ")
    if end >= 0 and not whole and not 0 <= tail.find("-----BEGIN ") < end:
        tail = tail[end:]  # the key began before the margin
    tail = redacted(tail) if whole else redacted(tail)[EDGE:]
    left_out = len(text) - 2 * half
    return f"{head[:half]}[{left_out} characters left out]{tail[max(len(tail) - half, 0) :]}"


def names_secret(name: str) -> bool:
    """Tell whether a key's name says that its value is a secret."""
    lowered = name.lower()
    return lowered.endswith("_pwd") or lowered.replace("-", "").replace("_", "").endswith(_SECRET_KEYS)
