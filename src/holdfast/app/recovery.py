"""Recording an event when the store does not take it."""

from __future__ import annotations

from holdfast.adapters.faults import first_time, log_fault
from holdfast.adapters.settings import settings_for
from holdfast.core.engine import Ruling, describe
from holdfast.core.jsontext import as_dict, as_list, as_text
from holdfast.core.redaction import redacted, written_form
from holdfast.core.verdict import NOTHING, Verdict
from holdfast.store.opening import StoreProblem, open_store
from holdfast.store.recording import Happening, Notice, Written, write
from holdfast.store.recovery import is_corruption, move_aside, spill
from holdfast.store.retention import prune
from holdfast.store.sqlite import DatabaseError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from holdfast.adapters.place import Place
    from holdfast.core.event import Event
    from holdfast.core.settings import Settings
    from holdfast.store.opening import Store


def ground_after(
    failure: Exception, store: Store | None, place: Place, environment: dict[str, str]
) -> tuple[Store | None, Settings, Notice | None]:
    """Return a store, the settings and what is wrong, after reading the settings failed."""
    log_fault(environment, f"reading the settings of {place.root} failed: {describe(failure)}")
    if store is not None and isinstance(failure, DatabaseError) and is_corruption(failure):
        try:
            why = move_aside(store.folder, store.inode)
            store = open_store(store.folder)
            return store, settings_for(place, environment, store), Notice("store-corrupt", why)
        except (StoreProblem, DatabaseError, OSError) as second:
            log_fault(environment, f"recovery failed in {place.root}: {describe(second)}")
            return None, settings_for(place, environment, None), Notice("store-unusable", describe(second))
    return store, settings_for(place, environment, None), None


def written_after(
    failure: Exception,
    store: Store,
    happening: Happening,
    revived: Callable[[dict[str, Any]], Happening],
    environment: dict[str, str],
) -> tuple[Store | None, Written | None, Notice | None]:
    """Write into a new store if the old one is corrupt or gone; else keep the record for the next hook."""
    log_fault(environment, f"recording failed in {store.folder}: {describe(failure)}")
    corrupt = isinstance(failure, DatabaseError) and is_corruption(failure)
    if corrupt or isinstance(failure, StoreProblem):
        try:
            if corrupt:
                notice = Notice("store-corrupt", f"{move_aside(store.folder, store.inode)}. Run `holdfast doctor`.")
                happening = happening.replace(notices=(*happening.notices, notice))
            fresh = open_store(store.folder)
            return fresh, write(fresh, happening, revived), None
        except (StoreProblem, DatabaseError, OSError) as second:
            log_fault(environment, f"recovery failed in {store.folder}: {describe(second)}")
    kept = keep_for_later(store.folder, happening)
    what = "its records wait for the next event" if kept else "this event is not recorded"
    return (
        None,
        None,
        Notice("store-unwritable", f"the store {store.folder} cannot be written ({describe(failure)}); {what}"),
    )


def told_without_store(notices: tuple[Notice, ...], session: str, environment: dict[str, str]) -> tuple[Notice, ...]:
    """Return the notices that this session has not had yet, when the store cannot tell."""
    unique = {notice.slug: notice for notice in notices}
    fresh = tuple(notice for notice in unique.values() if first_time(environment, session, notice.slug))
    for notice in fresh:
        log_fault(environment, f"{notice.slug} session={session} {notice.text}")
    return fresh


def pruned(store: Store, settings: Settings, now: float, environment: dict[str, str]) -> None:
    """Keep the store small; a failure here is nobody's concern but the log's."""
    try:
        prune(store, settings.retention_days, settings.max_events, now)
    except Exception as failure:
        log_fault(environment, f"pruning failed in {store.folder}: {describe(failure)}")


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
            "cwd": redacted(head.cwd),
            "payload": written_form(happening.payload),
            "identity": happening.identity,
            "origin": happening.origin,
            "root": happening.root,
            "decision": happening.decision,
            "seconds": happening.seconds,
            "rulings": written_form([_plain(ruling) for ruling in happening.rulings]),
        },
    )


def _plain(ruling: Ruling) -> dict[str, Any]:
    verdict = {**ruling.verdict.__dict__, "rewritten": None}
    return {**ruling.__dict__, "verdict": verdict, "facts": [list(pair) for pair in ruling.facts]}


def revive(record: dict[str, Any], event: Event) -> Happening:
    """Return a happening from the plain form; what is missing or of another type gets its default."""
    if not event.head.cwd:
        event = event.replace(head=event.head.replace(cwd=as_text(record.get("cwd"))))
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
    try:
        number = float(value) if isinstance(value, (int, float)) else 0.0
    except OverflowError:
        return 0.0
    return number if number - number == 0 else 0.0  # neither infinite nor not a number
