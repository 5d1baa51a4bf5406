"""The path of one event, from the host's bytes to the host's answer. Every way into Holdfast takes it.

bytes ─► hosts.read ─► Event ─► settings ─► policies awake ─► facts ─► judge ─► one transaction ─► hosts.write
"""

from __future__ import annotations

import time

from holdfast.adapters.files import working_folder
from holdfast.adapters.place import Place, locate
from holdfast.core.engine import Judgement, World, judge
from holdfast.core.event import CommandProposed, Event, Head, OtherEvent, SessionStarted, kind
from holdfast.core.jsontext import NotJson, as_dict, as_text, first_text, parse
from holdfast.core.record import Record
from holdfast.core.verdict import NOTE, PERSON, QUIET, Outcome, Statement, merge, outcome
from holdfast.hosts.claude_code import CHANNELS, Reply, read, write
from holdfast.hosts.recognise import CLAUDE_CODE, host_of
from holdfast.policies.catalog import awake
from holdfast.store.recording import Happening, Notice
from holdfast.store.recording import write as write_down

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from holdfast.core.policy import Policy
    from holdfast.core.settings import Settings
    from holdfast.store.opening import Store
    from holdfast.store.recording import Written


class Delivery(Record):
    """How an event came in: everything impure that the path needs, gathered by the caller."""

    name: str = ""
    """The event that the hook was started for, from its arguments."""
    origin: str = "settings"
    environment: dict[str, str] = {}
    began: float = 0.0
    """When the process began, on the monotonic clock."""
    deadline: float = 0.0
    """When judging must be over, on the same clock."""
    store: str = ""
    """Use the store in this folder instead of the project's own, for replaying."""

    def __hash__(self) -> int:
        return hash((self.name, self.origin))


class Answer(Record):
    """The reply, and all that led to it."""

    reply: Reply
    event: Event
    judgement: Judgement | None = None
    number: int = 0
    """The event's number in the store; 0 when it was not recorded."""
    place: Place = Place()


class Ground(Record):
    """What an event is judged on: where it happens, the store, the settings."""

    place: Place
    settings: Settings
    store: Store | None = None
    trouble: Notice | None = None
    """What is wrong with the store."""


def answer(raw: bytes, delivery: Delivery) -> Answer:
    """Judge one event, record it and return the answer."""
    payload = _parsed(raw)
    event = read_event(payload, delivery.name)
    place, event = _placed(event, delivery)
    ground = _ground(place, delivery)
    verdict = _judged(event, payload, ground, delivery)
    said, notices = _without_notices(verdict.outcome, ground)
    happening = _happening(verdict, payload, raw, ground, delivery, notices)
    ground, written = _recorded(ground, happening, delivery)
    said = merge(said, _told(notices, ground, written, happening, delivery))
    if written is not None and written.duplicate:
        said = outcome(one for one in said.statements if one.decision != NOTE)
    elif said.statements and ground.settings.audit_log and place.root and not delivery.store:
        from holdfast.adapters.audit_log import append
        from holdfast.core.event import subject

        append(place.root, place.store, happening.at, event.head.name, subject(event), said)
    changed = verdict.rewritten
    # the host replaces the whole input: what is not named would be gone
    rewritten = {**as_dict(payload.get("tool_input")), **changed} if changed is not None else None
    reply = write(event.head.name, said, rewritten) if event.head.host == CLAUDE_CODE else Reply()
    if ground.store is not None:
        _leave(event, ground.store, ground.settings, delivery)
    return Answer(reply, event, verdict.replace(outcome=said), written.event if written else 0, place)


def _parsed(raw: bytes) -> dict[str, Any]:
    if not raw.strip():
        from holdfast.app.trouble import Unreadable

        raise Unreadable("the hook's input is empty")
    try:
        payload = parse(raw.decode("utf-8", "replace"))
    except NotJson as error:
        from holdfast.app.trouble import Unreadable

        raise Unreadable(f"the hook's input is {error} ({len(raw)} bytes)") from error
    if not isinstance(payload, dict):
        from holdfast.app.trouble import Unreadable

        raise Unreadable(f"the hook's input is a JSON {type(payload).__name__}, not an object")
    return payload


def read_event(payload: dict[str, Any], name: str = "") -> Event:
    """Return the event of a payload, whichever host sent it."""
    host = host_of(payload)
    if host == CLAUDE_CODE:
        return read(payload, name)
    # Another agent's payload is recorded under its own name and never judged as if it were Claude Code's.
    session = first_text(payload, "session_id", "conversation_id", "sessionId")
    named = first_text(payload, "hook_event_name") or name
    return OtherEvent(Head(host=host, name=named, session=session, cwd=as_text(payload.get("cwd"))), f"from {host}")


def _placed(event: Event, delivery: Delivery) -> tuple[Place, Event]:
    place = locate(event.head.cwd or working_folder(), delivery.environment.get("CLAUDE_PROJECT_DIR", ""))
    if delivery.store:
        place = place.replace(store=delivery.store)
    if not event.head.cwd:
        event = event.replace(head=event.head.replace(cwd=place.root))
    return place, event


def _ground(place: Place, delivery: Delivery) -> Ground:
    """Open the store and read the settings; a store that is corrupt is replaced here if it shows here."""
    from holdfast.adapters.settings import settings_for

    store, trouble = _opened(place, max((delivery.deadline - delivery.began) / 3, 0.1))
    try:
        return Ground(place, settings_for(place, delivery.environment, store), store, trouble)
    except Exception as failure:
        from holdfast.app.recovery import ground_after

        store, settings, again = ground_after(failure, store, place, delivery.environment)
        return Ground(place, settings, store, again or trouble)


def _opened(place: Place, seconds: float) -> tuple[Store | None, Notice | None]:
    from holdfast.store.opening import BUSY_SECONDS, StoreProblem, open_store

    if not place.store:
        return None, Notice("no-place", "no project folder could be found, so nothing is recorded")
    try:
        store = open_store(place.store, busy_seconds=min(seconds, BUSY_SECONDS))
    except StoreProblem as problem:
        return None, Notice(problem.slug, str(problem))
    return store, Notice(store.notice.slug, str(store.notice)) if store.notice else None


def _judged(event: Event, payload: dict[str, Any], ground: Ground, delivery: Delivery) -> Judgement:
    entries = awake(kind(event), ground.settings)
    if not entries:
        return Judgement(event)
    from holdfast.adapters.facts import Fetcher, concerned

    def reread(_event: Event, tool_input: dict[str, Any]) -> Event:
        return read_event({**payload, "tool_input": {**as_dict(payload.get("tool_input")), **tool_input}}, delivery.name)

    why = ground.trouble.text if ground.trouble else "the store cannot be used"
    fetcher = Fetcher(event, ground.settings, ground.store, why, delivery.environment.get("PATH", ""))
    if isinstance(event, CommandProposed):
        entries = concerned(entries, event.command, fetcher)
    world = World(fetcher, time.monotonic, delivery.deadline, ground.place.root)
    return judge(event, tuple(_loaded(entry) for entry in entries), ground.settings, world, reread)


def _loaded(entry: Any) -> Policy:
    """Import a policy; one that cannot be imported still rules, by its posture."""
    from holdfast.core.policy import CLOSE, OPEN, Policy
    from holdfast.policies.catalog import load

    try:
        return load(entry)
    except Exception as failure:
        raised = failure

    def fail(*_given: object) -> Any:
        raise raised

    return Policy(entry.id, fail, fail, posture=CLOSE if entry.gate else OPEN)


def _without_notices(said: Outcome, ground: Ground) -> tuple[Outcome, tuple[Notice, ...]]:
    """Take out of the outcome what is told once per session, and add Holdfast's own troubles to it."""
    notices = []
    kept = []
    for one in said.statements:
        if one.slug == "policy-failed" and one.decision == NOTE:
            notices.append(Notice(f"policy-failed:{one.policy}", f"{one.reason} {one.remedy}"))
        else:
            kept.append(one)
    problems = ground.settings.problems
    if problems:
        text = f"the configuration has {len(problems)} problem(s): {problems[0]}. Run `holdfast config check`."
        notices.append(Notice("config-problem", text))
    if ground.trouble:
        notices.append(_advised(ground.trouble))
    return outcome(kept) if notices else said, tuple(notices)


def _advised(trouble: Notice) -> Notice:
    text = f"{trouble.text}. Decisions still hold, but what needs the ledger may not be known. Run `holdfast doctor`."
    return Notice(trouble.slug, text)


def _told(
    notices: tuple[Notice, ...], ground: Ground, written: Written | None, happening: Happening, delivery: Delivery
) -> Outcome:
    """Return the notices that this session has not had yet."""
    if written is not None:
        fresh = written.fresh
    elif happening.tells:
        from holdfast.app.recovery import told_without_store

        extra = (_advised(ground.trouble),) if ground.trouble else ()
        fresh = told_without_store((*notices, *extra), happening.event.head.session, delivery.environment)
    else:
        return QUIET
    if not fresh:
        return QUIET
    # the part after the colon is the policy that a notice is about
    return outcome(Statement(one.slug.partition(":")[2], NOTE, one.text, "", one.slug, PERSON) for one in fresh)


def _happening(
    verdict: Judgement,
    payload: dict[str, Any],
    raw: bytes,
    ground: Ground,
    delivery: Delivery,
    notices: tuple[Notice, ...],
) -> Happening:
    event = verdict.event
    channel = CHANNELS.get(event.head.name)
    spent = time.monotonic() - delivery.began
    return Happening(
        at=time.time() - spent,
        event=event,
        payload=payload,
        identity=_identity(event.head, raw),
        origin=delivery.origin,
        root=ground.place.root,
        decision=verdict.outcome.decision,
        rulings=verdict.rulings,
        seconds=spent,
        notices=notices,
        # At a session's start the host does not show such messages; the first event after it does.
        tells=channel is not None and channel.person and not isinstance(event, SessionStarted),
    )


def _identity(head: Head, raw: bytes) -> str:
    if head.tool_use:
        return f"{head.session}/{head.name}/{head.tool_use}/{head.agent}"
    # the hash by which the interpreter knows bytecode: always there, and the same in every process
    from _imp import source_hash

    return f"{head.session}/{head.name}/{head.prompt}/{head.agent}/{source_hash(0, raw).hex()}"


def _recorded(ground: Ground, happening: Happening, delivery: Delivery) -> tuple[Ground, Written | None]:
    """Write the event down; what cannot be written now is kept for the next hook, and said."""
    store = ground.store
    if store is None:
        from holdfast.app.recovery import keep_for_later

        keep_for_later(ground.place.store, happening)
        return ground, None
    if not store.writable:
        return ground, None
    try:
        return ground, write_down(store, happening, revived)
    except Exception as failure:
        from holdfast.app.recovery import written_after

        store, written, trouble = written_after(failure, store, happening, revived, delivery.environment)
        return ground.replace(store=store, trouble=trouble), written


def revived(record: dict[str, Any]) -> Happening:
    """Return the happening that an earlier hook had to put aside."""
    from holdfast.app.recovery import revive

    return revive(record, read_event(as_dict(record.get("payload")), as_text(record.get("name"))))


def _leave(event: Event, store: Store, settings: Settings, delivery: Delivery) -> None:
    from holdfast.store.opening import leave

    if isinstance(event, SessionStarted) and store.writable:
        from holdfast.app.recovery import pruned

        pruned(store, settings, time.time(), delivery.environment)
    leave(store)
