"""Recording an event when the store does not take it."""

from __future__ import annotations

from holdfast.core.engine import Ruling, describe
from holdfast.core.jsontext import as_dict, as_list, as_text
from holdfast.core.redaction import written_form
from holdfast.core.verdict import NOTHING, Verdict
from holdfast.store.opening import StoreProblem, open_store
from holdfast.store.recording import Happening, Written, write
from holdfast.store.recovery import is_corruption, move_aside, spill
from holdfast.store.sqlite import DatabaseError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from holdfast.core.event import Event
    from holdfast.store.opening import Store


def written_after_recovery(
    store: Store, happening: Happening, failure: Exception, environment: dict[str, str]
) -> Written | None:
    """Write into a new store if the old one is corrupt; else keep the record for the next hook."""
    from holdfast.adapters.faults import log_fault

    log_fault(environment, f"recording failed in {store.folder}: {describe(failure)}")
    if isinstance(failure, DatabaseError) and is_corruption(failure):
        try:
            move_aside(store.folder)
            return write(open_store(store.folder), happening, _none_waiting)
        except (StoreProblem, DatabaseError, OSError) as second:
            log_fault(environment, f"recovery failed in {store.folder}: {describe(second)}")
    keep_for_later(store.folder, happening)
    return None


def _none_waiting(record: dict[str, Any]) -> Happening:
    raise AssertionError("records that wait are taken in by the ordinary path")


def keep_for_later(folder: str, happening: Happening) -> bool:
    """Put a happening aside, for the next hook to write; tell whether it was kept."""
    if not folder:
        return False
    head = happening.event.head
    return spill(
        folder,
        {
            "at": happening.at,
            "name": head.name,
            "cwd": head.cwd,
            "payload": written_form(happening.payload),
            "identity": happening.identity,
            "origin": happening.origin,
            "root": happening.root,
            "decision": happening.decision,
            "seconds": happening.seconds,
            "rulings": [_plain(ruling) for ruling in happening.rulings],
        },
    )


def _plain(ruling: Ruling) -> dict[str, Any]:
    verdict = {**ruling.verdict.__dict__, "rewritten": None}
    return {**ruling.__dict__, "verdict": verdict, "facts": [list(pair) for pair in ruling.facts]}


def revive(record: dict[str, Any], event: Event) -> Happening:
    """Return a happening from the plain form; what is missing or of another type gets its default."""
    return Happening(
        at=_number(record.get("at")),
        event=event,
        payload=record.get("payload"),
        identity=as_text(record.get("identity")),
        origin=as_text(record.get("origin")) or "settings",
        root=as_text(record.get("root")),
        decision=as_text(record.get("decision")) or NOTHING,
        rulings=tuple(_ruling(as_dict(item)) for item in as_list(record.get("rulings"))),
        seconds=_number(record.get("seconds")),
    )


def _ruling(item: dict[str, Any]) -> Ruling:
    said = as_dict(item.get("verdict"))
    verdict = Verdict(
        decision=as_text(said.get("decision")) or NOTHING,
        reason=as_text(said.get("reason")),
        remedy=as_text(said.get("remedy")),
        slug=as_text(said.get("slug")),
    )
    return Ruling(
        policy=as_text(item.get("policy")),
        mode=as_text(item.get("mode")),
        concerned=bool(item.get("concerned")),
        verdict=verdict,
        effective=as_text(item.get("effective")),
        error=as_text(item.get("error")),
        facts=tuple((as_text(pair[0]), as_text(pair[1])) for pair in as_list(item.get("facts")) if len(as_list(pair)) == 2),
        seconds=_number(item.get("seconds")),
    )


def _number(value: object) -> float:
    return float(value) if isinstance(value, (int, float)) else 0.0
