"""`holdfast log`: what happened."""

from __future__ import annotations

import json

import click
from rich.markup import escape
from rich.table import Table

from holdfast.app.installation import here
from holdfast.app.trouble import Trouble
from holdfast.cli.output import clock, console, milliseconds, styled
from holdfast.core.verdict import STRENGTH
from holdfast.store.queries import event, events, open_for_reading


@click.command()
@click.option("-n", "most", default=30, show_default=True, type=click.IntRange(1), help="How many events.")
@click.option("--session", default="", help="Only of the session whose id begins so.")
@click.option("--decision", default=None, type=click.Choice(list(STRENGTH)), help="Only those so decided.")
@click.option("--policy", default="", help="Only those on which this policy said something.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line, with payload and rulings; `replay` reads it.")
def log(most: int, session: str, decision: str | None, policy: str, as_json: bool) -> None:
    """Show the latest events, newest last."""
    place = here()
    connection = open_for_reading(place.store)
    if connection is None:
        raise Trouble("nothing is recorded for this project yet", "Wire it with `holdfast init`, then use the agent.")
    rows = events(connection, most=most, session=session, decision=decision or "", policy=policy)
    if as_json:
        for row in rows:
            print(json.dumps(event(connection, row["id"])))
        return
    if not rows:
        console().print("No such events.")
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("id", "time", "event", "tool", "decision", "took", "about"):
        table.add_column(title, justify="right" if title in ("id", "took") else "left", no_wrap=title != "about")
    for row in rows:
        name = row["name"] + (" (subagent)" if row["agent"] else "")
        about = row["subject"].replace(place.root + "/", "")
        about = about if len(about) <= 100 else about[:99] + "…"
        decided = styled(row["decision"])
        table.add_row(
            str(row["id"]), clock(row["at"]), name, row["tool"], decided, milliseconds(row["seconds"]), escape(about)
        )
    console().print(table)
