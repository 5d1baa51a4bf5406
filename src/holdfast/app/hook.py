"""The hook process: one event, standard input to standard output, and never an accident.

Exit status 2 and stray output mean something to the host, so nothing but the reply may leave this process.
"""

from __future__ import annotations

import sys
import time

from holdfast.adapters.files import environment as environment_texts
from holdfast.adapters.files import system

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from typing import NoReturn

    from holdfast.hosts.claude_code import Reply
else:
    import _signal  # the C part; the package around it imports enum

MOST_BYTES = 64_000_000
"""Input beyond this is not read."""
SECONDS = 8.0
"""When a hook gives up. Far below the time-out in the wiring, at which the host would let the action through."""
SECONDS_BY_EVENT = {"SessionEnd": 1.0}
"""The host gives all hooks of a session's end 1.5 s together."""
JUDGING_SHARE = 0.7
"""The part of that time after which no further policy is heard."""


class DeadlinePassed(Exception):
    """The hook's own time is up."""


def main(arguments: list[str]) -> NoReturn:
    """Answer one event and end the process."""
    began = time.monotonic()
    name = arguments[0] if arguments else ""
    origin = arguments[1] if len(arguments) > 1 else "settings"
    environment = environment_texts()
    seconds = SECONDS_BY_EVENT.get(name, SECONDS)
    try:
        _arm(seconds)
        reply = _reply(name, origin, environment, began, began + seconds * JUDGING_SHARE)
        _disarm()
        if name == "SessionStart":
            _renew_bundle()
    except BaseException as failure:
        _disarm()
        reply = _last_resort(name, environment, failure)
    _leave(reply)


def _reply(name: str, origin: str, environment: dict[str, str], began: float, deadline: float) -> Reply:
    from holdfast.app.path import Delivery, answer

    return answer(_input(), Delivery(name, origin, environment, began, deadline)).reply


def _renew_bundle() -> None:
    """Once a session, when nobody waits for an action: a new or updated installation has no current bundle."""
    from holdfast.boot import renew

    renew()


def _input() -> bytes:
    """Read standard input to its end, which the host waits for, but keep only so much of it."""
    chunks: list[bytes] = []
    size = 0
    while chunk := system.read(0, 1 << 20):
        size += len(chunk)
        if size <= MOST_BYTES:
            chunks.append(chunk)
    if size > MOST_BYTES:
        from holdfast.app.trouble import Unreadable

        raise Unreadable(f"the hook's input is too large ({size} bytes, the limit is {MOST_BYTES})")
    return b"".join(chunks)


def _arm(seconds: float) -> None:
    if hasattr(_signal, "setitimer"):
        _signal.signal(_signal.SIGALRM, _on_alarm)
        # again every second: each later step that hangs is interrupted too
        _signal.setitimer(_signal.ITIMER_REAL, seconds, 1.0)


def _disarm() -> None:
    if hasattr(_signal, "setitimer"):
        _signal.setitimer(_signal.ITIMER_REAL, 0)


def _on_alarm(_number: int, _frame: object) -> None:
    raise DeadlinePassed("Holdfast's own time limit was reached")


def _last_resort(name: str, environment: dict[str, str], failure: BaseException) -> Reply:
    """Answer when everything else failed. If even that fails, so does the process: the host then refuses for gates."""
    try:
        from holdfast.app.last_resort import reply_to_failure

        return reply_to_failure(name, environment, failure)
    except BaseException as second:
        text = f"Holdfast failed: {type(failure).__name__}, then {type(second).__name__}. Run `holdfast doctor`.\n"
        system.write(2, text.encode("ascii", "replace"))
        system._exit(1)


def _leave(reply: Reply) -> NoReturn:
    """Write the reply and end at once: the interpreter's teardown would cost more than the rest of the work."""
    for handle, text in ((1, reply.stdout), (2, reply.stderr)):
        data = text.encode("utf-8", "replace")
        try:
            while data:
                data = data[system.write(handle, data) :]
        except OSError:
            break
    sys.stdout = sys.stderr = None
    system._exit(reply.exit_code)
