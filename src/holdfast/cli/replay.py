"""`holdfast replay`: judge recorded payloads anew."""

from __future__ import annotations

import json
import os
import tempfile
import time
from typing import Any

import click

from holdfast.app.hook import SECONDS
from holdfast.app.path import Answer, Delivery, answer
from holdfast.app.trouble import Trouble, Unreadable
from holdfast.cli.output import console, print_json, styled
from holdfast.core.event import kind, subject
from holdfast.hosts.claude_code import told


@click.command()
@click.argument("file", type=click.File("r", encoding="utf-8", errors="replace"))
@click.option(
    "--project", default=".", type=click.Path(exists=True, file_okay=False), help="Whose settings and files apply."
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.pass_context
def replay(ctx: click.Context, file: Any, project: str, as_json: bool) -> None:
    """Judge the payloads in FILE (JSON lines, a list, one payload, or the output of `log --json`), without effect.

    The project's settings, branch and files are those of now; nothing is recorded in its store. Exits with 1 if
    anything was refused.
    """
    with tempfile.TemporaryDirectory(prefix="holdfast-replay-") as scratch:
        environment = {**os.environ, "CLAUDE_PROJECT_DIR": os.path.realpath(project)}
        results = [_replayed(payload, environment, scratch) for payload in payloads_of(file.read())]
    if as_json:
        print_json(results)
    else:
        for one in results:
            line = styled(one["decision"]).append(f"  {one['event']} {one['about']}"[:150], "default")
            console().print(line)
            for text in one["said"]:
                console().print(f"  {text}", style="dim", markup=False)
    ctx.exit(1 if any(one["decision"] in ("deny", "block") for one in results) else 0)


def payloads_of(text: str) -> list[dict[str, Any]]:
    """Return the payloads in a text, in any of the forms that we accept."""
    try:
        whole = json.loads(text)
        items = whole if isinstance(whole, list) else [whole]
    except ValueError:
        items = [_line(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    found = [
        item.get("payload", item) if isinstance(item, dict) and "hook_event_name" not in item else item for item in items
    ]
    if not found or not all(isinstance(item, dict) for item in found):
        raise Trouble(
            "the file holds no payloads", "Give JSON objects, one a line, such as `holdfast log --json` prints.", exit_code=2
        )
    return found


def _line(number: int, line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError as error:
        raise Trouble(f"line {number} is not JSON ({error})", "Give one JSON object a line.", exit_code=2) from error


def _replayed(payload: dict[str, Any], environment: dict[str, str], store: str) -> dict[str, Any]:
    began = time.monotonic()
    delivery = Delivery("", "settings", environment, began, began + SECONDS, store)
    try:
        result: Answer = answer(json.dumps(payload).encode(), delivery)
    except Unreadable as error:
        return {"event": "?", "about": "", "decision": "nothing", "said": [str(error)], "rulings": []}
    assert result.judgement is not None
    said = result.judgement.outcome
    rulings = [{"policy": one.policy, "effective": one.effective, "error": one.error} for one in result.judgement.rulings]
    return {
        "event": f"{result.event.head.name} {result.event.head.tool}".strip(),
        "kind": kind(result.event),
        "about": subject(result.event),
        "decision": said.decision,
        "said": [told(statement) for statement in said.statements],
        "rulings": rulings,
    }
