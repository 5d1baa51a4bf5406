"""What to answer when Holdfast itself failed: gates close, everything else opens with a note."""

from __future__ import annotations

from holdfast.adapters.faults import first_time, log_fault
from holdfast.adapters.place import locate
from holdfast.adapters.settings import settings_for
from holdfast.app.trouble import Unreadable
from holdfast.core.engine import describe
from holdfast.core.settings import ENFORCE
from holdfast.core.verdict import DENY, NOTE, PERSON, Statement, outcome
from holdfast.hosts.claude_code import CHANNELS, Reply, write
from holdfast.policies.catalog import CATALOG
from holdfast.store.opening import open_store

_BEFORE = {"PreToolUse": ("EditProposed", "CommandProposed")}
"""Events before an action, and the types of event that they may be."""


def reply_to_failure(name: str, environment: dict[str, str], failure: BaseException) -> Reply:
    """Return the answer to an event that could not be judged at all."""
    why = str(failure) if isinstance(failure, Unreadable) else describe(failure)
    log_fault(environment, f"{name or 'unknown event'} was not judged: {why}")
    gates = _gates_before(name, environment)
    session = environment.get("CLAUDE_CODE_SESSION_ID", "")
    if gates:
        reason = f"Holdfast failed ({why}), so {', '.join(gates)} could not be checked."
        remedy = (
            "Try the call once more. If it fails again, a person can run `holdfast doctor`, or `holdfast uninstall` to go on"
            " without Holdfast."
        )
        return write(name, outcome([Statement("", DENY, reason, remedy, "holdfast-failed")]))
    if not first_time(environment, session, f"holdfast-failed.{name}"):
        return Reply()
    text = f"failed ({why}); this event was not checked and not recorded."
    said = outcome([Statement("", NOTE, text, "Run `holdfast doctor`.", "holdfast-failed", PERSON)])
    return write(name if name in CHANNELS else "FileChanged", said)


def _gates_before(name: str, environment: dict[str, str]) -> list[str]:
    """Return the enforced gates that would have judged the event, had it been readable."""
    kinds = _BEFORE.get(name, ())
    if not kinds:
        return []
    # If even this fails, the process ends with 1, and the host's onFailure refuses where a gate is wired to refuse.
    project = environment.get("CLAUDE_PROJECT_DIR", "") or environment.get("PWD", "")
    place = locate(project, project)
    try:
        # a broken configuration file leaves the last good one in force, which is in the store
        settings = settings_for(place, environment, open_store(place.store, busy_seconds=0.5))
    except Exception:
        settings = settings_for(place, environment, None)
    return [
        entry.id
        for entry in CATALOG
        if entry.gate and any(kind in entry.events for kind in kinds) and settings.of(entry.id).mode == ENFORCE
    ]
