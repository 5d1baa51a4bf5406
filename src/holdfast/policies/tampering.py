"""Refuses that the agent rewrites what holds it: Holdfast's files, the hooks' wiring, git's hooks.

## Refused
    Edit holdfast.toml                         Write .claude/settings.local.json
    sed -i … .claude/settings.json             rm -rf .git/holdfast
    echo … > .git/hooks/pre-commit             mv holdfast.toml x

## Passes
Reading any of these, and edits of everything else.

## Why
A rule that the one who is bound by it can rewrite is no rule.

## How to satisfy it
Ask the person to make the change. A person edits these files freely: only the agent's tools are judged.

## Known limits
A script that the agent writes and then runs can change these files unseen; `holdfast doctor` shows what came of it.
"""

from __future__ import annotations

from holdfast.core.event import CommandProposed, EditProposed
from holdfast.core.facts import Request, reading_of, repository_of
from holdfast.core.policy import CLOSE, Policy
from holdfast.core.policy import Config as BaseConfig
from holdfast.core.verdict import SILENCE, Verdict, deny

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.core.event import Event
    from holdfast.core.facts import Facts

_FILES = ("holdfast.toml", ".claude/settings.json", ".claude/settings.local.json", ".claude/.audit-log", ".claude/.test-status",
          ".claude/.proof-status")  # fmt: skip
_FOLDERS = (".git/holdfast", ".git/hooks", ".holdfast", ".claude/hooks")
_OF_USER = ("~/.claude/settings.json", "~/.claude/settings.local.json", "~/.config/holdfast", "~/.local/state/holdfast")


class Config(BaseConfig):
    """Settings of tampering."""

    files: tuple[str, ...] = ()
    """Further files and folders that the agent must not change, as seen from the project."""


def needs(event: Event, config: Config) -> tuple[Request, ...] | None:
    """Ask for the repository of each file, or for what the command does."""
    if isinstance(event, EditProposed):
        return tuple(repository_of(file.path) for file in event.files) or None
    assert isinstance(event, CommandProposed)
    return (reading_of(event.command), repository_of(event.head.cwd)) if event.command.strip() else None


def decide(event: Event, facts: Facts, config: Config) -> Verdict:
    """Refuse a change of what holds the agent."""
    for path in _changed(event, facts):
        if _is_held(path, config):
            return deny(
                "tampering",
                f"{path} holds the rules that bind the agent, so the agent must not change it.",
                remedy="Ask the person to make this change.",
            )
    return SILENCE


def _changed(event: Event, facts: Facts) -> list[str]:
    if isinstance(event, EditProposed):
        paths = []
        for file in event.files:
            place = facts.repository(file.path)
            inside = f".git/{file.path.rpartition('/.git/')[2]}" if place.in_git_dir else place.relative
            paths.append(inside if place.root else file.path)
        return paths
    assert isinstance(event, CommandProposed)
    from holdfast.core.shell.effects import CONFIGURES, DELETES, WRITES  # not for edits
    from holdfast.core.shell.scope import from_root

    cwd = event.head.cwd
    root = facts.repository(cwd).root or cwd
    changed = facts.reading(event.command).of(WRITES, DELETES, CONFIGURES)
    return [from_root(effect.path, cwd, root) for effect in changed if effect.path]


def _is_held(path: str, config: Config) -> bool:
    plain = path.removeprefix("./")
    if plain in (*_FILES, *config.files) or plain.startswith(_OF_USER):
        return True
    folders = (*_FOLDERS, *config.files)
    return any(plain == folder or plain.startswith(f"{folder}/") for folder in folders) or plain in (".claude", ".claude/*")


POLICY = Policy("tampering", decide, needs, Config(), posture=CLOSE)
