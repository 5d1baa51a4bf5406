"""Refuses pushes that overwrite or delete shared branches.

## Refused
    git push --force origin main        git push origin +main        git push --mirror
    git push origin --delete main
A forced push to any other branch is rewritten to `--force-with-lease`; where its spelling cannot be rewritten, it is refused.

## Passes
Plain pushes, and `--force-with-lease` to a branch that is not protected.

## Why
A forced push throws away what others have pushed meanwhile, and nobody is told.

## How to satisfy it
Use `--force-with-lease` on a branch of your own; never on a protected one.

## Known limits
A push without a branch goes where git's configuration says, which is not read here; forced, it gets a lease.
"""

from __future__ import annotations

from holdfast.core.policy import CLOSE, REWRITER, Policy, needs_reading
from holdfast.core.policy import Config as BaseConfig
from holdfast.core.shell.editing import with_words
from holdfast.core.shell.effects import PUSHES, Effect
from holdfast.core.verdict import SILENCE, Verdict, deny, rewrite

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.core.event import CommandProposed
    from holdfast.core.facts import Facts


class Config(BaseConfig):
    """Settings of force-push."""

    branches: tuple[str, ...] = ("main", "master")
    """The branches that are never overwritten."""


def decide(event: CommandProposed, facts: Facts, config: Config) -> Verdict:
    """Refuse a push that overwrites or deletes."""
    changes: dict[tuple[int, int], str] = {}
    for effect in facts.reading(event.command).of(PUSHES):
        verdict = _judged(effect, config)
        if verdict is SILENCE:
            continue
        spelled = [span for word, span in zip(effect.words, effect.spans, strict=False) if word in ("-f", "--force")]
        if verdict.slug != "forced-push" or not spelled:
            return verdict
        changes.update(dict.fromkeys(spelled, "--force-with-lease"))
    if not changes:
        return SILENCE
    changed = with_words(event.command, changes)
    if changed is None:
        return deny(
            "forced-push", "The forced push overwrites what others may have pushed.", remedy="Use `--force-with-lease`."
        )
    return rewrite(
        "forced-push", f"The push was given a lease, so that it overwrites nobody's work: `{changed}`.", {"command": changed}
    )


def _judged(effect: Effect, config: Config) -> Verdict:
    words = " ".join(effect.words)
    targets = [flag[3:].removeprefix("refs/heads/") for flag in effect.flags if flag.startswith("to:")]
    protected = [target for target in targets if target in config.branches]
    overwrites = any(mark in effect.flags for mark in ("force", "lease", "mirror"))
    if "mirror" in effect.flags or "prune" in effect.flags:
        reason = f"`{words}` makes the remote a copy of this repository and deletes the rest."
        return deny("mirror-push", reason, remedy="Push the branch by its name.")
    if protected and (overwrites or "delete" in effect.flags):
        verb = "deletes" if "delete" in effect.flags else "overwrites"
        remedy = "Push to a branch of your own and open a pull request."
        return deny("push-to-protected-branch", f"`{words}` {verb} the branch {protected[0]} on the remote.", remedy=remedy)
    if "force" in effect.flags:
        return deny(
            "forced-push", f"`{words}` overwrites what others may have pushed.", remedy=f"Use `{_safer(effect.words)}`."
        )
    return SILENCE


def _safer(words: tuple[str, ...]) -> str:
    """Return the command with a lease: refused by the remote if somebody else has pushed."""
    kept = [word.removeprefix("+") for word in words if word not in ("-f", "--force", "--force-with-lease")]
    kept = [_without_force(word) for word in kept]
    at = kept.index("push") + 1 if "push" in kept else 1
    return " ".join([*kept[:at], "--force-with-lease", *kept[at:]])


def _without_force(word: str) -> str:
    """Return a cluster of short options such as -fu without the f."""
    cluster = word.startswith("-") and not word.startswith("--") and "f" in word
    return word.replace("f", "") if cluster else word


POLICY = Policy("force-push", decide, needs_reading, Config(), posture=CLOSE, stage=REWRITER)
