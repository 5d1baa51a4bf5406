"""The audit log: a projection of the store for the eye and for scripts. Never read back."""

from __future__ import annotations

import time

from holdfast.adapters.files import exists, is_folder, parent, stat, system
from holdfast.core.redaction import redacted
from holdfast.core.verdict import ALLOW

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.core.verdict import Outcome

FILE = ".claude/.audit-log"
MOST_BYTES = 1_000_000
_APPEND = system.O_CREAT | system.O_APPEND | system.O_WRONLY | getattr(system, "O_NOFOLLOW", 0)
"""Never through a link: the agent could point one at another file."""


def append(root: str, store: str, at: float, name: str, subject: str, outcome: Outcome) -> None:
    """Write a line for each thing that was said: time, event, decision, policy, subject, reason.

    Only where `init` was run, which keeps the file out of git: elsewhere it would show up as a change of the project's.
    """
    path = f"{root}/{FILE}"
    if not exists(f"{store}/install.json") or not is_folder(parent(path)):
        return
    stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))
    lines = []
    for one in outcome.statements:
        if one.decision == ALLOW:
            continue  # what is plainly safe is no news
        fields = (stamp, name, one.decision, one.policy, _field(subject, 200), _field(one.reason, 300))
        lines.append("|".join(fields) + "\n")
    if not lines:
        return
    try:
        if exists(path) and stat(path).st_size > MOST_BYTES:
            system.replace(path, f"{path}.1")
        handle = system.open(path, _APPEND, 0o600)
        try:
            system.write(handle, "".join(lines).encode("utf-8", "replace"))
        finally:
            system.close(handle)
    except OSError:
        pass  # a projection; the store has it all


def _field(text: str, most: int) -> str:
    return redacted(" ".join(text.split()).replace("|", "/"))[:most]
