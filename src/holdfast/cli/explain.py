"""`holdfast explain`: the trace that the hook recorded."""

from __future__ import annotations

import os
from typing import Any

import click
from rich.console import Group
from rich.text import Text
from rich.tree import Tree

from holdfast.adapters.shell_parser import parser_path, syntax_of
from holdfast.app.classification import as_json as classification
from holdfast.app.classification import classified
from holdfast.app.installation import current_settings, here
from holdfast.app.interpreter import search_path
from holdfast.app.trouble import Trouble
from holdfast.cli.output import clock, console, milliseconds, print_json, styled
from holdfast.store.queries import event, last_ruled, open_for_reading


@click.command()
@click.argument("which", metavar="[last|EVENT-ID]", default="last")
@click.option("--command", "command", help="Explain this shell command instead, as it would be judged now.")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def explain(which: str, command: str | None, as_json: bool) -> None:
    """Show why a decision fell as it did, policy by policy."""
    if command is not None:
        _explain_command(command, as_json)
        return
    found = _find(which)
    if as_json:
        print_json(found)
        return
    console().print(tree_of(found))


def _explain_command(command: str, as_json: bool) -> None:
    place = here()
    settings = current_settings(place, dict(os.environ))
    reading, judgement = classified(command, place, settings, search_path())
    found = classification(command, reading, judgement)
    if as_json:
        print_json(found)
        return
    tree = Tree(Text(f"{command} → ").append_text(styled(judgement.outcome.decision)).append(f"  ({found['tier']})", "dim"))
    syntax = syntax_of(parser_path(search_path()), command)
    outline = tree.add(Text("syntax", "bold"))
    if syntax is None:
        outline.add(Text("it cannot be parsed", "red"))
    for statement in (syntax or {}).get("Stmts") or []:
        _add_syntax(outline, statement, command.encode("utf-8", "replace"))
    effects = tree.add(Text("effects", "bold"))
    for effect in reading.effects:
        words = " ".join(effect.words)
        more = " · ".join(filter(None, (effect.detail, effect.path, effect.masked, *effect.flags)))
        effects.add(Text(f"{effect.kind}: {words}").append(f"  {more}" if more else "", "dim"))
    doubts = tree.add(Text("why it is not plainly safe", "bold")) if reading.doubts else None
    for doubt in reading.doubts:
        assert doubts is not None
        doubts.add(Text(doubt))
    for ruling in judgement.rulings:
        title = Text.assemble((ruling.policy, "bold"), f" ({ruling.mode}) → ").append_text(styled(ruling.effective))
        branch = tree.add(title)
        if ruling.verdict.reason:
            branch.add(Text(f"{ruling.verdict.reason} {ruling.verdict.remedy}".strip()))
    console().print(tree)


def _add_syntax(tree: Tree, statement: dict[str, Any], text: bytes) -> None:
    """Draw a statement and the statements within it."""
    command = statement.get("Cmd") or {}
    begin, end = statement["Pos"]["Offset"], statement["End"]["Offset"]
    shown = " ".join(text[begin:end].decode("utf-8", "replace").split())
    marks = [name for name in ("Negated", "Background") if statement.get(name)]
    title = Text.assemble((f"{command.get('Type', 'Stmt')} {command.get('Op', '')}".strip(), "cyan"), f"  {shown[:100]}")
    branch = tree.add(title.append("  " + " ".join(marks), "yellow") if marks else title)
    for inner in _statements_within(command):
        _add_syntax(branch, inner, text)


def _statements_within(node: Any) -> list[dict[str, Any]]:
    if isinstance(node, list):
        return [found for item in node for found in _statements_within(item)]
    if not isinstance(node, dict):
        return []
    if "Cmd" in node:
        return [node]
    return [found for value in node.values() if isinstance(value, (dict, list)) for found in _statements_within(value)]


def _find(which: str) -> dict[str, Any]:
    if which != "last" and not (which.isascii() and which.isdigit() and len(which) < 18):
        raise Trouble(f"{which!r} is not an event", "Give `last` or a number from `holdfast log`.", exit_code=2)
    connection = open_for_reading(here().store)
    if connection is None:
        raise Trouble("nothing is recorded for this project yet", "Wire it with `holdfast init`, then use the agent.")
    number = last_ruled(connection) if which == "last" else int(which)
    found = event(connection, number)
    if found is None:
        raise Trouble(f"there is no event {number}", "`holdfast log` lists those that are kept.")
    return found


def tree_of(found: dict[str, Any]) -> Tree:
    """Return an event and its rulings as a tree."""
    head = Text.assemble(
        f"event {found['id']} · {clock(found['at'])} · ", (found["name"], "bold"), f" {found['tool']}".rstrip(), " → "
    )
    tree = Tree(head.append_text(styled(found["decision"])).append(f" in {milliseconds(found['seconds'])}", "dim"))
    tree.add(Text(found["subject"] or "(no subject)"))
    who = f"subagent {found['agent']}" if found["agent"] else "main thread"
    tree.add(Text(f"session {found['session']} · {who} · {found['cwd']}", "dim"))
    if len(found["origins"]) > 1:
        tree.add(Text(f"delivered by {' and '.join(found['origins'])}, counted once", "dim"))
    if not found["rulings"]:
        tree.add(Text("no policy was awake for it", "dim"))
    for ruling in found["rulings"]:
        _add(tree, ruling)
    return tree


def _add(tree: Tree, ruling: dict[str, Any]) -> None:
    title = Text.assemble((ruling["policy"], "bold"), f" ({ruling['mode']}) → ").append_text(styled(ruling["effective"]))
    if ruling["effective"] != ruling["decision"]:
        title.append(f", said {ruling['decision']}")
    title.append(f" in {milliseconds(ruling['seconds'])}", "dim")
    branch = tree.add(title)
    if ruling["error"]:
        branch.add(Text(f"failed: {ruling['error']}", "red"))
    elif not ruling["concerned"]:
        branch.add(Text("the event was none of its business", "dim"))
    if ruling["reason"]:
        branch.add(Group(Text(ruling["reason"]), *([Text(ruling["remedy"], "green")] if ruling["remedy"] else [])))
    for name, value in ruling["facts"]:
        branch.add(Text(f"{name}: {value}", "dim"))
