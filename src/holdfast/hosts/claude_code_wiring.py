"""How Claude Code is told to run the hook: which events, which tools, which command. Not on the hook path."""

from __future__ import annotations

from typing import Any

from holdfast.core.jsontext import as_dict, as_list, as_text
from holdfast.core.record import Record
from holdfast.hosts.claude_code import CHANNELS, EDIT_TOOLS, SHELL_TOOLS

_GONE = "Install it and run `holdfast init`, or delete its entries in .claude/settings.local.json and .claude/settings.json."
BOOTSTRAP = "\n".join(
    (
        "import sys; folder = sys.argv.pop(1); sys.path.append(folder)",
        "try: from holdfast.boot import start",
        f"except ImportError: sys.exit('Holdfast is not in ' + folder + ' any more. {_GONE}')",
        "start(); from holdfast.app.hook import main; main(sys.argv[1:])",
    )
)
"""What the interpreter runs. Text and not a file: for a file that is gone Python exits with 2, which refuses every call."""

SECONDS = 20
"""The host's time-out. The hook's own deadline lies far below it."""
SECONDS_BY_EVENT = {"SessionEnd": 5}

OLDEST_VERSION = (2, 1, 139)
"""The first version that starts a hook without a shell."""
CLOSING_VERSION = (2, 1, 295)
"""The first version that refuses when a gate's hook cannot start."""

SOURCES: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "EditProposed": (("PreToolUse", EDIT_TOOLS),),
    "CommandProposed": (("PreToolUse", SHELL_TOOLS),),
    "EditMade": (("PostToolUse", EDIT_TOOLS),),
    "CommandRan": (("PostToolUse", SHELL_TOOLS), ("PostToolUseFailure", SHELL_TOOLS)),
    "ToolFailed": (("PostToolUseFailure", EDIT_TOOLS),),
    "PromptGiven": (("UserPromptSubmit", ()),),
    "StopRequested": (("Stop", ()),),
    "SubagentStarted": (("SubagentStart", ()),),
    "SubagentStopping": (("SubagentStop", ()),),
    "SessionStarted": (("SessionStart", ()),),
    "SessionEnded": (("SessionEnd", ()),),
    "CompactionStarting": (("PreCompact", ()),),
    "TaskCompleting": (("TaskCompleted", ()),),
}
"""Type of event → the host's events that carry it, and the tools to match."""

NEVER_WIRED = ("WorktreeCreate", "MessageDisplay")
"""Events that a handler changes by being there, or that come many times a second."""


class Registration(Record):
    """One entry of the wiring."""

    event: str
    tools: tuple[str, ...] = ()
    closes: bool = False
    """Refuse when the hook cannot start."""

    @property
    def matcher(self) -> str:
        """The host's pattern for the tools: their names, or all but those with "!" before them."""
        if self.tools and self.tools[0].startswith("!"):
            return f"^(?!({'|'.join(tool[1:] for tool in self.tools)})$)"
        return "|".join(self.tools)


class Command(Record):
    """The hook's command line, up to the event's name."""

    program: str
    arguments: tuple[str, ...] = ()
    origin: str = "settings"

    def argv(self, event: str) -> list[str]:
        """Return the whole command line for an event."""
        return [self.program, *self.arguments, event, *([self.origin] if self.origin != "settings" else [])]


def direct_command(python: str, package_folder: str, origin: str = "settings") -> Command:
    """Return the command that names an interpreter. Nothing of its site-packages is loaded."""
    return Command(python, ("-I", "-S", "-c", BOOTSTRAP, package_folder), origin)


def path_command() -> Command:
    """Return the command that is found through PATH, for settings that a team shares."""
    return Command("holdfast", ("hook",))


def registrations(kinds: set[str], closing: set[str], *, every_event: bool = False) -> list[Registration]:
    """Return what to wire for these types of event; the closing ones refuse when the hook cannot start."""
    open_tools: dict[str, set[str]] = {}
    closed_tools: dict[str, set[str]] = {}
    for kind in sorted(kinds):
        for event, tools in SOURCES.get(kind, ()):
            wanted = closed_tools if kind in closing else open_tools
            wanted.setdefault(event, set()).update(tools)
    if every_event:
        for event in CHANNELS:
            if event not in NEVER_WIRED:
                # a gate's tools keep their own entry, which refuses when the hook cannot start
                open_tools[event] = {f"!{tool}" for tool in closed_tools.get(event, ())}
    found = []
    for event in CHANNELS:
        for tools_of, closes in ((closed_tools, True), (open_tools, False)):
            if event in tools_of:
                found.append(Registration(event, tuple(sorted(tools_of[event])), closes))
    return found


def hooks_json(wanted: list[Registration], command: Command) -> dict[str, list[dict[str, Any]]]:
    """Return the `hooks` object of a settings file."""
    hooks: dict[str, list[dict[str, Any]]] = {}
    for one in wanted:
        program, *arguments = command.argv(one.event)
        handler: dict[str, Any] = {
            "type": "command",
            "command": program,
            "args": arguments,
            "timeout": SECONDS_BY_EVENT.get(one.event, SECONDS),
        }
        if one.closes:
            handler["onFailure"] = "block"
        matcher = {"matcher": one.matcher} if one.tools else {}
        hooks.setdefault(one.event, []).append({**matcher, "hooks": [handler]})
    return hooks


def is_ours(handler: object) -> bool:
    """Tell whether a handler runs Holdfast, by its command and arguments."""
    fields = as_dict(handler)
    arguments = [as_text(item) for item in as_list(fields.get("args"))]
    if any("holdfast.app.hook" in argument for argument in arguments):
        return True
    name = as_text(fields.get("command")).replace("\\", "/").rpartition("/")[2]
    return name in ("holdfast", "holdfast.exe") and arguments[:1] == ["hook"]


def our_handlers(settings: object) -> list[tuple[str, str, dict[str, Any]]]:
    """Return (event, matcher, handler) of each handler of ours in a settings file."""
    found: list[tuple[str, str, dict[str, Any]]] = []
    for event, groups in as_dict(as_dict(settings).get("hooks")).items():
        for group in as_list(groups):
            matcher = as_text(as_dict(group).get("matcher"))
            handlers = as_list(as_dict(group).get("hooks"))
            found.extend((event, matcher, handler) for handler in handlers if is_ours(handler))
    return found


def without_ours(settings: dict[str, Any]) -> dict[str, Any]:
    """Return the settings without our handlers; what they leave empty goes too, everything else stays."""
    hooks: dict[str, Any] = {}
    for event, groups in as_dict(settings.get("hooks")).items():
        kept = [group for group in map(_group_without_ours, as_list(groups)) if group is not None]
        if kept or not as_list(groups):
            hooks[event] = kept
    rest = {key: value for key, value in settings.items() if key != "hooks"}
    return {key: hooks if key == "hooks" else rest[key] for key in settings if key != "hooks" or hooks}


def _group_without_ours(group: object) -> object | None:
    handlers = as_list(as_dict(group).get("hooks"))
    kept = [handler for handler in handlers if not is_ours(handler)]
    if len(kept) == len(handlers):
        return group
    return {**as_dict(group), "hooks": kept} if kept else None


def with_ours(settings: dict[str, Any], hooks: dict[str, list[dict[str, Any]]]) -> dict[str, Any]:
    """Return the settings with our handlers after those of others."""
    cleaned = without_ours(settings)
    merged = {event: list(groups) for event, groups in as_dict(cleaned.get("hooks")).items()}
    for event, groups in hooks.items():
        merged.setdefault(event, []).extend(groups)
    return {**cleaned, "hooks": merged}
