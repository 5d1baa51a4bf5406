"""`holdfast policy`: the policies and their pages."""

from __future__ import annotations

import difflib
import os

import click
from rich.markdown import Markdown
from rich.table import Table

from holdfast.app.installation import current_settings, here
from holdfast.app.pages import policy_page
from holdfast.app.trouble import Trouble
from holdfast.cli.output import console, print_json, styled
from holdfast.policies.catalog import CATALOG, entry_of, load


@click.group()
def policy() -> None:
    """List the policies, or show one."""


@policy.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def list_policies(as_json: bool) -> None:
    """List all policies with their mode here."""
    settings = current_settings(here(), dict(os.environ))
    rows = [
        {
            "id": entry.id,
            "mode": settings.of(entry.id).mode,
            "since": entry.since,
            "gate": entry.gate,
            "events": list(entry.events),
            "summary": entry.summary,
        }
        for entry in CATALOG
    ]
    if as_json:
        print_json(rows)
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("policy", "mode", "from profile", "wakes on", "what it does"):
        table.add_column(title, no_wrap=title in ("policy", "mode"))
    for entry in CATALOG:
        wakes = ", ".join(entry.events)
        table.add_row(entry.id, styled(settings.of(entry.id).mode), entry.since, wakes, entry.summary)
    console().print(table)


@policy.command("show")
@click.argument("id")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def show_policy(id: str, as_json: bool) -> None:
    """Show a policy's page."""
    entry = entry_of(id)
    if entry is None:
        near = difflib.get_close_matches(id, [one.id for one in CATALOG], n=1, cutoff=0.4)
        remedy = f"Did you mean {near[0]!r}?" if near else "`holdfast policy list` names them."
        raise Trouble(f"there is no policy {id!r}", remedy, exit_code=2)
    if as_json:
        config = load(entry).config
        print_json({"id": entry.id, "summary": entry.summary, "page": policy_page(entry), "config": config.__dict__})
        return
    console().print(Markdown(policy_page(entry)))
