"""`holdfast classify`: judge many commands, for scripts."""

from __future__ import annotations

import json
import os
import sys

import click

from holdfast.app.classification import as_json, classified
from holdfast.app.installation import current_settings, here
from holdfast.app.interpreter import search_path
from holdfast.app.trouble import Trouble


@click.command()
@click.option("--json", "_as_json", is_flag=True, help="The output is always JSON.")
def classify(_as_json: bool) -> None:
    """Read JSON lines {"command": …} and write, for each, what it does and what the policies here say to it."""
    place = here()
    settings = current_settings(place, dict(os.environ))
    for number, line in enumerate(sys.stdin, 1):
        if not line.strip():
            continue
        try:
            command = json.loads(line)["command"]
        except (ValueError, KeyError, TypeError) as error:
            raise Trouble(
                f"line {number} has no command", 'Give one JSON object a line: {"command": "…"}.', exit_code=2
            ) from error
        reading, judgement = classified(str(command), place, settings, search_path())
        print(json.dumps(as_json(str(command), reading, judgement)), flush=True)
