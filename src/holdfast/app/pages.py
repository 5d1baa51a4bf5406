"""Pages that come from the code: policies, where other systems' hooks went, what each event can express, the plugin."""

from __future__ import annotations

import ast
import inspect
import json
import sys
import textwrap

from holdfast.app.installation import wanted_registrations
from holdfast.core.settings import PROFILES, PolicySettings, Settings
from holdfast.hosts.claude_code import CHANNELS
from holdfast.hosts.claude_code_wiring import direct_command, hooks_json
from holdfast.policies.catalog import CATALOG, Entry, load, profile_mode

_MADE = "<!-- Made from the code by `make docs`. Edit the code, not this page. -->\n"


def all_pages() -> dict[str, str]:
    """Return every generated file: path below the project → text."""
    pages = {f"docs/policies/{entry.id}.md": _MADE + "\n" + policy_page(entry) for entry in CATALOG}
    pages["docs/policies/README.md"] = _MADE + "\n" + policy_index()
    pages["docs/coming-from.md"] = _MADE + "\n" + coming_from()
    pages["docs/events.md"] = _MADE + "\n" + events_page()
    pages["hooks/hooks.json"] = plugin_hooks()
    return pages


def policy_page(entry: Entry) -> str:
    """Return a policy's page: its docstring, with what the catalog and its settings say."""
    policy = load(entry)
    module = sys.modules[entry.module]
    first, _, rest = inspect.cleandoc(module.__doc__ or "").partition("\n")
    modes = ", ".join(f"{profile} {profile_mode(entry, profile)}" for profile in PROFILES)
    failing = "closes: the action is refused, and it is said why" if policy.posture == "close" else "opens, with a note"
    facts = [
        f"- Wakes on: {', '.join(entry.events)}",
        f"- Mode by profile: {modes}",
        f"- When it fails: {failing}",
    ]
    lines = [f"# {entry.id}", "", first, "", *facts, "", rest.strip(), "", "## Settings", "", *_settings_table(entry)]
    return "\n".join(lines).rstrip() + "\n"


def _settings_table(entry: Entry) -> list[str]:
    config = load(entry).config
    notes = _field_notes(type(config))
    rows = [
        ("mode", "by profile", "`enforce`, `warn` or `off`"),
        ("paths", "all files", "globs of the files that it concerns; a leading `!` takes files out"),
        *((name, f"`{_toml(getattr(config, name))}`", notes.get(name, "")) for name in type(config).fields()),
    ]
    table = [f"| `{key}` | {value} | {text} |" for key, value, text in rows]
    head = [f"In `holdfast.toml`, under `[policy.{entry.id}]`:", "", "| key | default | meaning |", "|---|---|---|"]
    return [*head, *table]


def _field_notes(config: type) -> dict[str, str]:
    """Return the texts that stand below the fields of a settings record."""
    body = ast.parse(textwrap.dedent(inspect.getsource(config))).body[0]
    assert isinstance(body, ast.ClassDef)
    notes = {}
    for field, text in zip(body.body, body.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(text, ast.Expr):
            notes[field.target.id] = str(ast.literal_eval(text.value))
    return notes


def _toml(value: object) -> str:
    return json.dumps(list(value) if isinstance(value, tuple) else value)


def policy_index() -> str:
    """Return the list of policies."""
    rows = [
        f"| [{entry.id}]({entry.id}.md) | {entry.since} | {', '.join(entry.events)} | {entry.summary} |" for entry in CATALOG
    ]
    profiles = [f"- `{name}`: {text}" for name, text in PROFILES.items()]
    head = ["# Policies", "", "| policy | from profile | wakes on | what it does |", "|---|---|---|---|"]
    return "\n".join([*head, *rows, "", "## Profiles", "", *profiles]) + "\n"


def coming_from() -> str:
    """Return where the hooks of other systems went."""
    rows = [f"| {name} | [{entry.id}](policies/{entry.id}.md) |" for entry in CATALOG for name in entry.covers]
    return "\n".join(["# Coming from other hooks", "", "| hook | policy |", "|---|---|", *sorted(rows)]) + "\n"


def events_page() -> str:
    """Return what each event of the host can express."""
    titles = "| event | refuse | ask | allow | rewrite | tell the agent | tell the person |"
    head = ["# What each event of Claude Code can express", "", titles]
    rows = []
    for name, channel in CHANNELS.items():
        marks = [channel.refuse or "–", *("yes" if can else "–" for can in (channel.asks, channel.allows, channel.rewrites))]
        rows.append(f"| {name} | {' | '.join(marks)} | {channel.context or '–'} | {'yes' if channel.person else '–'} |")
    doc = inspect.cleandoc(type(CHANNELS["Stop"]).__doc__ or "").partition("\n")[2].strip()
    return "\n".join([*head, "|---|---|---|---|---|---|---|", *rows, "", doc]) + "\n"


def plugin_hooks() -> str:
    """Return the plugin's hooks: the interpreter is found through PATH, the package lies in the plugin."""
    policies = {entry.id: PolicySettings(profile_mode(entry, Settings.profile)) for entry in CATALOG}
    wanted = wanted_registrations(Settings(policies=policies))
    command = direct_command("python3", "${CLAUDE_PLUGIN_ROOT}/src", origin="plugin")
    whole = {"description": "Holds AI coding agents to their tests", "hooks": hooks_json(wanted, command)}
    return json.dumps(whole, indent=2) + "\n"
