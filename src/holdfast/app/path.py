"""The path of one event, from the host's bytes to the host's answer. Every way into Holdfast takes it.

bytes ─► hosts.read ─► Event ─► settings ─► policies awake ─► facts ─► judge ─► one transaction ─► hosts.write
"""

from __future__ import annotations

import time

from holdfast.adapters.files import working_folder
from holdfast.adapters.place import Place, locate
from holdfast.core.engine import Judgement, World, judge
from holdfast.core.event import Event, Head, OtherEvent, SessionStarted, kind
from holdfast.core.jsontext import NotJson, as_dict, as_text, first_text, parse
from holdfast.core.record import Record
from holdfast.core.verdict import NOTE, PERSON, QUIET, Outcome, Statement, merge, outcome
from holdfast.hosts.claude_code import CHANNELS, Reply, read, write
from holdfast.hosts.recognise import CLAUDE_CODE, host_of
from holdfast.policies.catalog import awake

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from holdfast.core.policy import Policy
    from holdfast.core.settings import Settings
    from holdfast.store.opening import Store
    from holdfast.store.recording import Happening, Written


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


class Unreadable(Exception):
    """The host's input could not be understood at all."""


def answer(raw: bytes, delivery: Delivery) -> Answer:
    """Judge one event, record it and return the answer."""
    try:
        payload = parse(raw.decode("utf-8", "replace"))
    except NotJson as error:
        raise Unreadable(f"the hook's input is {error} ({len(raw)} bytes)") from error
    if not isinstance(payload, dict):
        raise Unreadable(f"the hook's input is a JSON {type(payload).__name__}, not an object")
    event = read_event(payload, delivery.name)
    place, event = _placed(event, delivery.environment)
    if delivery.store:
        place = place.replace(store=delivery.store)
    store, trouble = _open(place, max((delivery.deadline - delivery.began) / 3, 0.1))
    settings = _settings(place, delivery.environment, store)
    verdict = _judged(event, payload, place, settings, store, trouble, delivery)
    said, notices = _with_notices(verdict.outcome, event, settings, trouble)
    happening = _happening(verdict, payload, raw, place, delivery, tuple(notices))
    written = _record(store, place, happening, delivery.environment)
    said = merge(said, _fresh(notices, written, event, delivery.environment))
    if written is not None and written.duplicate:
        said = outcome(one for one in said.statements if one.decision != NOTE)
    elif settings.audit_log and place.root and said.statements and not delivery.store:
        from holdfast.adapters.audit_log import append
        from holdfast.core.event import subject

        append(place.root, happening.at, event.head.name, subject(event), said)
    reply = write(event.head.name, said, verdict.rewritten) if event.head.host == CLAUDE_CODE else Reply()
    _housekeeping(event, store, settings)
    if store is not None:
        from holdfast.store.opening import leave

        leave(store)
    return Answer(reply, event, verdict.replace(outcome=said), written.event if written else 0, place)


def read_event(payload: dict[str, Any], name: str = "") -> Event:
    """Return the event of a payload, whichever host sent it."""
    host = host_of(payload)
    if host == CLAUDE_CODE:
        return read(payload, name)
    # Another agent's payload is recorded under its own name and never judged as if it were Claude Code's.
    session = first_text(payload, "session_id", "conversation_id", "sessionId")
    named = first_text(payload, "hook_event_name") or name
    return OtherEvent(Head(host=host, name=named, session=session, cwd=as_text(payload.get("cwd"))), f"from {host}")


def _placed(event: Event, environment: dict[str, str]) -> tuple[Place, Event]:
    project = environment.get("CLAUDE_PROJECT_DIR", "")
    place = locate(event.head.cwd or working_folder(), project)
    if not event.head.cwd:
        event = event.replace(head=event.head.replace(cwd=place.root))
    return place, event


def _open(place: Place, seconds: float) -> tuple[Store | None, tuple[str, str]]:
    """Return the store, and (slug, text) of what is wrong with it."""
    from holdfast.store.opening import BUSY_SECONDS, StoreProblem, open_store

    if not place.store:
        return None, ("no-place", "no project folder could be found")
    try:
        store = open_store(place.store, busy_seconds=min(seconds, BUSY_SECONDS))
    except StoreProblem as problem:
        return None, (problem.slug, str(problem))
    return store, (store.notice.slug, str(store.notice)) if store.notice else ("", "")


def _settings(place: Place, environment: dict[str, str], store: Store | None) -> Settings:
    from holdfast.adapters.settings import settings_for

    try:
        return settings_for(place.root, environment, store)
    except Exception:  # the snapshot's table may be broken though the file opens
        return settings_for(place.root, environment, None)


def _judged(
    event: Event,
    payload: dict[str, Any],
    place: Place,
    settings: Settings,
    store: Store | None,
    trouble: tuple[str, str],
    delivery: Delivery,
) -> Judgement:
    entries = awake(kind(event), settings)
    if not entries:
        return Judgement(event)
    from holdfast.adapters.facts import Fetcher

    policies = tuple(_loaded(entry) for entry in entries)
    fetcher = Fetcher(event, settings, store, trouble[1] or "the store cannot be used")
    world = World(fetcher, time.monotonic, delivery.deadline, place.root)

    def reread(_event: Event, tool_input: dict[str, Any]) -> Event:
        return read_event({**payload, "tool_input": tool_input}, delivery.name)

    return judge(event, policies, settings, world, reread)


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


def _with_notices(
    said: Outcome, event: Event, settings: Settings, trouble: tuple[str, str]
) -> tuple[Outcome, dict[str, Statement]]:
    """Take out of the outcome what is told once per session, and add Holdfast's own troubles to it."""
    notices: dict[str, Statement] = {}
    kept = []
    for one in said.statements:
        if one.slug == "policy-failed" and one.decision == NOTE:
            notices[f"policy-failed:{one.policy}"] = one
        else:
            kept.append(one)
    if settings.problems:
        text = f"the configuration has {len(settings.problems)} problem(s): {settings.problems[0]}."
        notices["config-problem"] = Statement("", NOTE, text, "Run `holdfast config check`.", "config-problem", PERSON)
    slug, why = trouble
    if slug:
        text = f"{why}. Decisions still hold, but what needs the ledger is not known."
        notices[slug] = Statement("", NOTE, text, "Run `holdfast doctor`.", slug, PERSON)
    # At a session's start the host does not show such messages; the first event after it does.
    channel = CHANNELS.get(event.head.name)
    tells = channel is not None and channel.person and not isinstance(event, SessionStarted)
    return outcome(kept), notices if tells else {}


def _fresh(notices: dict[str, Statement], written: Written | None, event: Event, environment: dict[str, str]) -> Outcome:
    """Return the notices that this session has not had yet."""
    if not notices:
        return QUIET
    if written is not None:
        return outcome(notices[slug] for slug in written.fresh)
    from holdfast.adapters.faults import first_time, log_fault

    fresh = [slug for slug in notices if first_time(environment, event.head.session, slug)]
    for slug in fresh:
        log_fault(environment, f"{slug} session={event.head.session} {notices[slug].reason}")
    return outcome(notices[slug] for slug in fresh)


def _happening(
    verdict: Judgement, payload: dict[str, Any], raw: bytes, place: Place, delivery: Delivery, notices: tuple[str, ...]
) -> Happening:
    from holdfast.store.recording import Happening

    spent = time.monotonic() - delivery.began
    return Happening(
        at=time.time() - spent,
        event=verdict.event,
        payload=payload,
        identity=_identity(verdict.event.head, raw),
        origin=delivery.origin,
        root=place.root,
        decision=verdict.outcome.decision,
        rulings=verdict.rulings,
        seconds=spent,
        notices=notices,
    )


def _identity(head: Head, raw: bytes) -> str:
    if head.tool_use:
        return f"{head.session}/{head.name}/{head.tool_use}/{head.agent}"
    # the hash by which the interpreter knows bytecode: always there, and the same in every process
    from _imp import source_hash

    return f"{head.session}/{head.name}/{head.prompt}/{head.agent}/{source_hash(0, raw).hex()}"


def _record(store: Store | None, place: Place, happening: Happening, environment: dict[str, str]) -> Written | None:
    """Write the event down; what cannot be written now is kept for the next hook."""
    if store is not None and not store.writable:
        return None
    if store is None:
        from holdfast.app.recovery import keep_for_later

        keep_for_later(place.store, happening)
        return None
    from holdfast.store.recording import write as write_down

    try:
        return write_down(store, happening, revived)
    except Exception as failure:
        from holdfast.app.recovery import written_after_recovery

        return written_after_recovery(store, happening, failure, environment)


def revived(record: dict[str, Any]) -> Happening:
    """Return the happening that `keep_for_later` put aside."""
    from holdfast.app.recovery import revive

    return revive(record, read_event(as_dict(record.get("payload")), as_text(record.get("name"))))


def _housekeeping(event: Event, store: Store | None, settings: Settings) -> None:
    if isinstance(event, SessionStarted) and store is not None and store.writable:
        from holdfast.store.retention import prune

        prune(store, settings.retention_days, settings.max_events, time.time())
