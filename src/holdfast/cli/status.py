"""`holdfast status`: what is wired, enforced and recorded here."""

from __future__ import annotations

import os
import time
from typing import Any

import click
from rich.console import Console
from rich.markup import escape

from holdfast.adapters.git import repository_of, working_tree_of
from holdfast.app.detection import detect
from holdfast.app.examination import installed_handlers
from holdfast.app.installation import current_settings, here
from holdfast.cli.output import clock, console, print_json, styled
from holdfast.core.settings import OFF
from holdfast.policies.catalog import CATALOG
from holdfast.store.queries import delivered_by_plugin, events, open_for_reading, rulings, sessions

DAY = 86_400


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def status(as_json: bool) -> None:
    """Show what is wired, enforced and recorded here."""
    found = picture()
    if as_json:
        print_json(found)
        return
    _draw(console(), found)


def picture() -> dict[str, Any]:
    """Return the state of this project as plain values."""
    place, environment = here(), dict(os.environ)
    settings = current_settings(place, environment)
    repository = repository_of(place.root)
    project = detect(place.root)
    connection = open_for_reading(place.store)
    latest = sessions(connection, 1) if connection else []
    refused = (
        [row for row in events(connection, most=200) if row["decision"] in ("deny", "block", "ask")] if connection else []
    )
    return {
        "root": place.root,
        "branch": repository.branch if repository.root else None,
        "uncommitted": working_tree_of(place.root).dirty if repository.root else None,
        "frameworks": list(project.frameworks),
        "plugin": connection is not None and delivered_by_plugin(connection, time.time() - DAY),
        "wired": sorted({one.event for one in installed_handlers(place, environment)}),
        "profile": settings.profile,
        "policies": {entry.id: settings.of(entry.id).mode for entry in CATALOG},
        "problems": list(settings.problems),
        "session": latest[0] if latest else None,
        "refusals": [{**row, "rulings": rulings(connection, row["id"])} for row in refused[-3:]] if connection else [],
    }


def _draw(out: Console, found: dict[str, Any]) -> None:
    where = f"branch {found['branch'] or '(detached)'}" if found["branch"] is not None else "no git repository"
    count = found["uncommitted"]
    dirty = f", {count} uncommitted" if count and count > 0 else ", uncommitted files not counted" if count else ""
    out.print(f"[bold]Project[/]   {escape(found['root'])} · {escape(where)}{dirty}", soft_wrap=True)
    out.print(f"[bold]Tests[/]     {', '.join(found['frameworks']) or 'no framework found'}")
    wired = ", ".join(found["wired"]) or ("by the plugin" if found["plugin"] else "[red]nothing: run holdfast init[/]")
    out.print(f"[bold]Wired[/]     {wired}")
    out.print(f"[bold]Profile[/]   {found['profile']}")
    for id, mode in found["policies"].items():
        if mode != OFF:
            out.print("          ", styled(mode), id)
    for problem in found["problems"]:
        out.print(problem, style="yellow", markup=False)
    if found["session"]:
        tally, session = found["session"]["tally"], found["session"]
        state = "ended" if session["ended"] else "latest event"
        files = len(tally["files"]) + tally["more_files"]
        out.print(
            f"[bold]Session[/]   {escape(session['id'][:8])} · {state} {clock(session['latest'])} · {files} file(s) edited,"
            f" {tally['commands']} command(s), {tally['failed_commands']} failed, {tally['refusals']} refusal(s)"
        )
    for row in found["refusals"]:
        effective = [one for one in row["rulings"] if one["effective"] == row["decision"]]
        said = "; ".join(one["reason"] or f"{one['policy']} failed: {one['error']}" for one in effective)
        out.print(f"  {clock(row['at'])} {row['decision']}: {said}", markup=False)
    if found["refusals"]:
        out.print(f"Next: [bold]holdfast explain {found['refusals'][-1]['id']}[/]")
