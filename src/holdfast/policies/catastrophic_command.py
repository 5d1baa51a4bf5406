"""Refuses commands that destroy what cannot be brought back.

## Refused
- recursive deletion of the root, a system folder, the home folder, the project itself, a folder above it, or its `.git`
- writing to or formatting a device
- a download that is piped into an interpreter
- making a root folder writable for everybody
- a function that calls itself in the background (a fork bomb)
- switching the machine off

## Passes
Everything else, also deletions inside the project: whether they are wanted is for the person to say.

## Why
There is no undo for these, and no task of an agent needs them.

## How to satisfy it
Name what is to be deleted more narrowly; download into a file, look at it, then run it.

## Known limits
What a script does that is run is not seen. A command of which a part cannot be read is asked about from
the profile strict on; in `standard` the host's own prompt decides.
"""

from __future__ import annotations

from holdfast.core.facts import Request, reading_of, repository_of
from holdfast.core.policy import CLOSE, Policy
from holdfast.core.policy import Config as BaseConfig
from holdfast.core.shell.effects import CODE, CONFIGURES, DELETES, OPAQUE, WRITES, Effect
from holdfast.core.shell.scope import from_root
from holdfast.core.verdict import SILENCE, Verdict, ask, deny

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.core.event import CommandProposed
    from holdfast.core.facts import Facts

_SYSTEM = frozenset(
    "bin boot dev etc home lib lib32 lib64 opt proc root run sbin srv sys usr var Users System Library Applications mnt".split()
)


class Config(BaseConfig):
    """Settings of catastrophic-command."""

    ask_unreadable: bool = False
    """Ask about commands of which a part cannot be read; the profiles from strict on do."""


def needs(event: CommandProposed, config: Config) -> tuple[Request, ...] | None:
    """Ask for what the command does."""
    return (reading_of(event.command), repository_of(event.head.cwd)) if event.command.strip() else None


def decide(event: CommandProposed, facts: Facts, config: Config) -> Verdict:
    """Refuse what cannot be undone."""
    cwd = event.head.cwd
    root = facts.repository(cwd).root or cwd
    for effect in facts.reading(event.command).effects:
        what = _catastrophe(effect.replace(path=from_root(effect.path, cwd, root)))
        if what:
            words = " ".join(effect.words)
            remedy = "Name what is meant more narrowly, or ask the person to do it."
            return deny("catastrophic-command", f"`{words[:200]}` {what}.", remedy=remedy)
    unread = [effect.detail for effect in facts.reading(event.command).of(OPAQUE)]
    if unread and config.ask_unreadable:
        return ask(
            "unreadable-command", f"A part of the command cannot be read: {unread[0]}.", remedy="Write it out plainly."
        )
    return SILENCE


def _catastrophe(effect: Effect) -> str:
    if effect.kind == DELETES and _is_device(effect.path):
        return f"destroys the device {effect.path}"
    if effect.kind == DELETES and "recursive" in effect.flags and effect.detail != "worktree":
        where = _irreplaceable(effect.path, effect.words)
        return f"deletes {where}" if where else ""
    if effect.kind == WRITES and ("device" in effect.flags or _is_device(effect.path)):
        return f"writes to the device {effect.path or effect.words[-1]}"
    if effect.kind == CODE and "download" in effect.flags:
        return "runs what it downloads, unseen"
    if effect.kind == CODE and "fork bomb" in effect.flags:
        return "starts copies of itself without end"
    if effect.kind == CONFIGURES and "power" in effect.flags:
        return "switches the machine off"
    if effect.kind == CONFIGURES and effect.detail == "chmod" and "recursive" in effect.flags and _opens(effect.flags):
        where = _irreplaceable(effect.path, effect.words)
        return f"makes {where} writable for everybody" if where.startswith(("the root", "the system", "the home")) else ""
    return ""


def _irreplaceable(path: str, words: tuple[str, ...]) -> str:
    """Return what a path is, if it must not be lost; `path` is as seen from the project."""
    if not path:
        return ""
    parts = [part for part in path.split("/") if part]
    if path.startswith("/"):
        real = [part for part in parts if part not in ("*", ".*")]
        if not real:
            return "the root folder"
        if real[0] in _SYSTEM and (len(real) == 1 or (real[0] in ("home", "Users") and len(real) == 2)):
            return f"the system's folder /{'/'.join(real)}"
        return ""
    if parts[0] == "~" and all(part in ("~", "*", ".*", "..") for part in parts):
        return "the home folder"
    if all(part in (".", "*", ".*") for part in parts):
        return "the whole project"
    if all(part in ("..", "*", ".*") for part in parts):
        return "a folder above the project"
    if parts[0] == ".git" and (len(parts) == 1 or parts[1:] == ["*"]):
        return "the repository's history"
    return ""


def _is_device(path: str) -> bool:
    name = path.removeprefix("/dev/") if path.startswith("/dev/") else ""
    return name.startswith(
        ("sd", "hd", "nvme", "vd", "xvd", "mmcblk", "disk", "rdisk", "mapper/", "md", "loop", "mem", "kmem")
    )


def _opens(flags: tuple[str, ...]) -> bool:
    for mode in (flag[5:] for flag in flags if flag.startswith("mode:")):
        who, sign, what = mode.partition("+") if "+" in mode else mode.partition("=")
        if sign and "w" in what and (not who or set(who) & set("oa")):
            return True
        if mode.isdigit() and int(mode[-1]) & 2:
            return True
    return False


POLICY = Policy("catastrophic-command", decide, needs, Config(), posture=CLOSE)
