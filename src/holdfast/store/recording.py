"""Writing one event down: event, payload, rulings, session and notices, in one transaction."""

from __future__ import annotations

from holdfast.adapters.files import exists
from holdfast.core.event import Event, SessionEnded, kind, subject
from holdfast.core.jsontext import encode, parse
from holdfast.core.ledger.tally import Tally, fold, from_json, to_json
from holdfast.core.record import Record
from holdfast.core.redaction import redacted, written_form
from holdfast.core.verdict import NOTHING
from holdfast.store.opening import StoreProblem, inode_of
from holdfast.store.recovery_names import SPILL, TAKEN
from holdfast.store.sqlite import IntegrityError
from holdfast.store.transaction import Transaction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from holdfast.core.engine import Ruling
    from holdfast.store.opening import Store
    from holdfast.store.sqlite import Connection

MOST_SUBJECT = 400


class Notice(Record):
    """Something that the person is told once per session."""

    slug: str
    text: str


class Happening(Record):
    """One event with what was decided on it, ready to be written down."""

    at: float
    event: Event
    payload: object = None
    """The host's input; secrets are taken out when it is written."""
    identity: str = ""
    """Same for the same event delivered twice."""
    origin: str = "settings"
    root: str = ""
    decision: str = NOTHING
    rulings: tuple[Ruling, ...] = ()
    seconds: float = 0.0
    notices: tuple[Notice, ...] = ()
    """What is told once per session."""
    tells: bool = True
    """The event can carry notices; otherwise they are owed until one can."""


class Written(Record):
    """What came of writing."""

    event: int = 0
    duplicate: bool = False
    """The same event had been delivered before, by another registration of the hook."""
    fresh: tuple[Notice, ...] = ()
    """The notices that this session has not had yet and gets now."""


def write(store: Store, happening: Happening, revive: Callable[[dict[str, Any]], Happening]) -> Written:
    """Write one event down, and those that an earlier hook could not write."""
    with Transaction(store.connection):
        waiting = _take_in_spilled(store, revive)
        written = _insert(store.connection, happening)
    if inode_of(store.folder) != store.inode:
        raise StoreProblem("store-moved", "another hook moved the store aside meanwhile")
    if waiting:
        from holdfast.store.recovery import forget_spilled

        forget_spilled(store.folder)
    return written


def _take_in_spilled(store: Store, revive: Callable[[dict[str, Any]], Happening]) -> bool:
    if not (exists(f"{store.folder}/{SPILL}") or exists(f"{store.folder}/{TAKEN}")):
        return False
    from holdfast.store.recovery import spilled

    for record in spilled(store.folder):
        _take_in(store.connection, record, revive)
    return True


def _take_in(connection: Connection, record: dict[str, Any], revive: Callable[[dict[str, Any]], Happening]) -> None:
    """Write one record that waited; a bad one among them must not stop the others."""
    connection.execute("SAVEPOINT waiting")
    try:
        happening = revive(record)
        # the hook that took them in before may have died after its commit
        query = "SELECT 1 FROM event WHERE identity = ? AND at = ?"
        if connection.execute(query, (storable(happening.identity), happening.at)).fetchone() is None:
            _insert(connection, happening)
    except (ArithmeticError, LookupError, TypeError, ValueError, IntegrityError):
        connection.execute("ROLLBACK TO waiting")
    connection.execute("RELEASE waiting")


def _insert(connection: Connection, happening: Happening) -> Written:
    event = happening.event
    earlier = _delivered_before(connection, happening)
    if earlier:
        connection.execute("INSERT OR IGNORE INTO delivery VALUES (?, ?)", (earlier, happening.origin))
        return Written(earlier, duplicate=True)
    head = event.head
    row = (
        happening.at, head.host, head.name, kind(event), head.session, head.agent, head.tool, head.tool_use,
        head.prompt, redacted(head.cwd), redacted(subject(event)[:MOST_SUBJECT * 2])[:MOST_SUBJECT], happening.decision,
        happening.seconds, happening.identity,
    )  # fmt: skip
    number = connection.execute(
        "INSERT INTO event (at, host, name, kind, session, agent, tool, tool_use, prompt, cwd, subject, decision,"
        " seconds, identity) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
        tuple(storable(value) for value in row),
    ).lastrowid
    assert number is not None
    connection.execute("INSERT INTO payload VALUES (?, ?)", (number, encode(written_form(happening.payload))))
    connection.execute("INSERT INTO delivery VALUES (?, ?)", (number, happening.origin))
    for ruling in happening.rulings:
        connection.execute(
            "INSERT INTO ruling (event, policy, mode, concerned, decision, effective, slug, reason, remedy, error,"
            " facts, seconds) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
            (number, *_ruling_values(ruling)),
        )
    _update_session(connection, happening)
    return Written(number, fresh=_first_told(connection, happening))


def _delivered_before(connection: Connection, happening: Happening) -> int:
    if not happening.identity:
        return 0
    if happening.event.head.tool_use:
        query = "SELECT id FROM event WHERE identity = ? LIMIT 1"
        found = connection.execute(query, (storable(happening.identity),)).fetchone()
    else:
        # Without an id of the call, equal events are the same only if they came by different registrations.
        query = (
            "SELECT id FROM event WHERE identity = ? AND NOT EXISTS"
            " (SELECT 1 FROM delivery WHERE delivery.event = event.id AND origin = ?) ORDER BY id LIMIT 1"
        )
        found = connection.execute(query, (storable(happening.identity), happening.origin)).fetchone()
    return int(found[0]) if found else 0


def _ruling_values(ruling: Ruling) -> tuple[object, ...]:
    verdict = ruling.verdict
    facts = encode([list(pair) for pair in ruling.facts])
    texts = (verdict.slug, verdict.reason, verdict.remedy, ruling.error, facts)
    return (
        ruling.policy,
        ruling.mode,
        int(ruling.concerned),
        verdict.decision,
        ruling.effective,
        *(storable(redacted(text)) for text in texts),
        ruling.seconds,
    )


def _update_session(connection: Connection, happening: Happening) -> None:
    event = happening.event
    tally = to_json(fold(tally_of(connection, event.head.session), event, happening.decision))
    ended = happening.at if isinstance(event, SessionEnded) else None
    connection.execute(
        "INSERT INTO session VALUES (?,?,?,?,?,?,?) ON CONFLICT (id) DO UPDATE SET"
        " latest = excluded.latest, ended = excluded.ended, tally = excluded.tally",
        (
            storable(event.head.session), event.head.host, storable(happening.root), happening.at, happening.at, ended,
            encode(tally),
        ),
    )  # fmt: skip


def tally_of(connection: Connection, session: str) -> Tally:
    """Return what this session did so far."""
    found = connection.execute("SELECT tally FROM session WHERE id = ?", (storable(session),)).fetchone()
    return from_json(parse(found[0])) if found else Tally()


def _first_told(connection: Connection, happening: Happening) -> tuple[Notice, ...]:
    session = storable(happening.event.head.session)
    for notice in happening.notices:
        row = (session, notice.slug, storable(redacted(notice.text)))
        connection.execute("INSERT OR IGNORE INTO told (session, slug, text) VALUES (?, ?, ?)", row)
    if not happening.tells:
        return ()
    owed = connection.execute("SELECT slug, text FROM told WHERE session = ? AND at IS NULL", (session,)).fetchall()
    if owed:
        connection.execute("UPDATE told SET at = ? WHERE session = ? AND at IS NULL", (happening.at, session))
    return tuple(Notice(slug, text) for slug, text in owed)


def storable(value: object) -> object:
    """Return the value as SQLite can hold it: text without lone surrogates."""
    if isinstance(value, str) and not value.isascii():
        return value.encode("utf-8", "replace").decode("utf-8")
    return value
