"""Judging one event: rewriters first, then judges; one crash, mode and posture rule for all policies."""

from __future__ import annotations

from holdfast.core.facts import Facts, Request, Unknown
from holdfast.core.policy import CLOSE, JUDGE, REWRITER, Policy, configured
from holdfast.core.record import Record
from holdfast.core.settings import ENFORCE, OFF
from holdfast.core.verdict import (
    ALLOW,
    ASK,
    BLOCK,
    DENY,
    NOTE,
    NOTHING,
    QUIET,
    REFUSALS,
    REWRITE,
    SILENCE,
    STRENGTH,
    Outcome,
    Statement,
    Verdict,
    outcome,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from holdfast.core.event import Event
    from holdfast.core.policy import Config
    from holdfast.core.settings import PolicySettings, Settings


class World(Record):
    """What the engine is given of the outside: everything impure comes in through here."""

    fetch: Callable[[Request], object]
    """Return a fact, or Unknown."""
    now: Callable[[], float]
    """Return seconds on a clock that only goes forward."""
    deadline: float
    """When to stop judging, on that clock."""
    project: str = ""
    """The project's folder, against which path filters are read."""


class Ruling(Record):
    """The record of one policy's part in one judgement; what `explain` prints."""

    policy: str
    mode: str
    concerned: bool = False
    verdict: Verdict = SILENCE
    """What the policy said."""
    effective: str = NOTHING
    """What became of it after mode and posture."""
    error: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    seconds: float = 0.0


class Judgement(Record):
    """The result of judging one event."""

    event: Event
    """The event as it was judged: after rewriting."""
    outcome: Outcome = QUIET
    rulings: tuple[Ruling, ...] = ()
    rewritten: dict[str, Any] | None = None
    """The keys of the tool's input that change, if a rewrite survived."""


def judge(
    event: Event,
    policies: tuple[Policy, ...],
    settings: Settings,
    world: World,
    reread: Callable[[Event, dict[str, Any]], Event] | None = None,
) -> Judgement:
    """Judge an event by these policies. `reread` gives the event that a rewritten input makes."""
    court = _Court(settings, world)
    rewritten: dict[str, Any] | None = None
    for policy in policies:
        if policy.stage != REWRITER:
            continue
        verdict = court.hear(policy, event)
        if verdict.decision == REWRITE and verdict.rewritten is not None and reread is not None:
            rewritten = verdict.rewritten
            event = reread(event, rewritten)
    for policy in policies:
        if policy.stage == JUDGE:
            court.hear(policy, event)
    said = outcome(court.statements)
    if said.decision in REFUSALS:
        rewritten = None
    return Judgement(event, said, tuple(court.rulings), rewritten)


class _Court:
    """Hears policies one after the other and keeps what was said."""

    def __init__(self, settings: Settings, world: World) -> None:
        self.settings = settings
        self.world = world
        self.rulings: list[Ruling] = []
        self.statements: list[Statement] = []

    def hear(self, policy: Policy, event: Event) -> Verdict:
        """Let one policy rule; return its verdict as it counts."""
        chosen = self.settings.of(policy.id)
        if chosen.mode == OFF:
            return SILENCE
        began = self.world.now()
        facts: dict[Request, object] = {}
        error = ""
        verdict: Verdict | None
        try:
            if began >= self.world.deadline:
                raise TimeoutError("the deadline had passed")
            verdict = self._verdict(policy, event, chosen, facts)
        except Exception as failure:  # a policy's bug must not take the others down
            verdict, error = SILENCE, describe(failure)
        counted = _after_posture(policy, error, chosen.mode) if error else _after_mode(policy, verdict, chosen.mode)
        self.rulings.append(
            Ruling(
                policy=policy.id,
                mode=chosen.mode,
                concerned=verdict is not None,
                verdict=verdict or SILENCE,
                effective=counted.decision,
                error=error,
                facts=tuple((request.kind, shortened(repr(value))) for request, value in facts.items()),
                seconds=self.world.now() - began,
            )
        )
        self.statements.append(counted)
        return verdict if verdict is not None and counted.decision == verdict.decision else SILENCE

    def _verdict(self, policy: Policy, event: Event, chosen: PolicySettings, facts: dict[Request, object]) -> Verdict | None:
        seen = within_paths(event, chosen.paths, self.world.project)
        if seen is None:
            return None
        config: Config = configured(policy, chosen.own)
        requests = policy.needs(seen, config)
        if requests is None:
            return None
        for request in requests:
            facts[request] = self.world.fetch(request)
        for request, fact in facts.items():
            if isinstance(fact, Unknown):
                raise LookupError(f"{request.kind} is not known: {fact.why}")
        verdict = policy.decide(seen, Facts(facts), config)
        if not isinstance(verdict, Verdict) or verdict.decision not in STRENGTH:
            raise TypeError(f"decide returned {verdict!r}, which is no verdict")
        return verdict


def within_paths(event: Event, paths: tuple[str, ...], project: str) -> Event | None:
    """Return the event reduced to the files that the filter lets through; None if none is left."""
    files = getattr(event, "files", None)
    if not paths or not files:
        return event
    from holdfast.core.globs import selects
    from holdfast.core.paths import relative

    kept = tuple(file for file in files if selects(paths, relative(file.path, project)))
    return event.replace(files=kept) if kept else None


def _after_mode(policy: Policy, verdict: Verdict | None, mode: str) -> Statement:
    if verdict is None or verdict.decision == NOTHING:
        return Statement(policy.id, NOTHING)
    if mode == ENFORCE or verdict.decision == NOTE:
        return Statement(policy.id, verdict.decision, verdict.reason, verdict.remedy, verdict.slug, verdict.audience)
    would = {DENY: "denied this", BLOCK: "blocked the stop", ASK: "asked", ALLOW: "allowed it", REWRITE: "rewritten it"}
    reason = f"Would have {would[verdict.decision]} ({policy.id} is in warn mode): {verdict.reason}"
    return Statement(policy.id, NOTE, reason, verdict.remedy, verdict.slug, verdict.audience)


def _after_posture(policy: Policy, error: str, mode: str) -> Statement:
    reason = f"Holdfast's policy {policy.id} failed ({error}), so nothing was checked by it."
    remedy = failure_remedy(policy.id)
    if policy.posture == CLOSE and mode == ENFORCE:
        return Statement(policy.id, DENY, reason, remedy, "policy-failed")
    return Statement(policy.id, NOTE, reason, remedy, "policy-failed", "person")


def failure_remedy(policy: str) -> str:
    """Return how a person goes on when a policy or Holdfast itself fails."""
    return (
        f'A person can run `holdfast explain last` to see why, or set `mode = "off"` under [policy.{policy}] '
        "in holdfast.toml to go on without it."
    )


def describe(failure: BaseException) -> str:
    """Return an exception in one short line."""
    try:
        said = str(failure)
    except Exception:  # an exception may be as broken as what raised it
        said = "it cannot say why"
    return shortened(f"{type(failure).__name__}: {said}".rstrip(": "))


def shortened(text: str, most: int = 300) -> str:
    """Return the text in one line of at most so many characters."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"
