"""The audit log: a projection of the store for the eye and for scripts. Never read back."""

from __future__ import annotations

import os
import time

from holdfast.core.redaction import redacted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.core.verdict import Outcome

FILE = ".claude/.audit-log"
MOST_BYTES = 1_000_000


def append(root: str, at: float, name: str, subject: str, outcome: Outcome) -> None:
    """Write a line for each thing that was said: time, event, decision, policy, subject, reason."""
    path = f"{root}/{FILE}"
    if not outcome.statements or not os.path.isdir(os.path.dirname(path)):
        return
    stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))
    lines = []
    for one in outcome.statements:
        fields = (stamp, name, one.decision, one.policy, _field(subject, 200), _field(one.reason, 300))
        lines.append("|".join(fields) + "\n")
    try:
        if os.path.exists(path) and os.stat(path).st_size > MOST_BYTES:
            os.replace(path, f"{path}.1")
        handle = os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0), 0o600)
        try:
            os.write(handle, "".join(lines).encode("utf-8", "replace"))
        finally:
            os.close(handle)
    except OSError:
        pass  # a projection; the store has it all


def _field(text: str, most: int) -> str:
    return redacted(" ".join(text.split()).replace("|", "/"))[:most]
