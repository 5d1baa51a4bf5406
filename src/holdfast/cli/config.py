"""`holdfast config`: the settings, where each came from, and what is wrong with them."""

from __future__ import annotations

import os
from typing import Any

import click
from rich.markup import escape
from rich.table import Table

from holdfast.adapters.config import GENERAL, Configuration, read_configuration
from holdfast.adapters.settings import files_of
from holdfast.app.installation import current_settings, here
from holdfast.cli.output import console, print_json
from holdfast.core.settings import Settings
from holdfast.policies.catalog import CATALOG, load


@click.group()
def config() -> None:
    """Show the settings and their origin, or check them."""


@config.command()
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def show(as_json: bool) -> None:
    """Show every setting and where it came from."""
    place = here()
    found = read_configuration(files_of(place, dict(os.environ)))
    rows = _rows(found, current_settings(place, dict(os.environ)), place.root)
    if as_json:
        print_json([{"key": key, "value": value, "origin": origin} for key, value, origin in rows])
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("setting", "value", "from"):
        table.add_column(title)
    for key, value, origin in rows:
        table.add_row(escape(key), escape(str(value)), escape(origin), style="" if origin != "default" else "dim")
    console().print(table)
    if found.problems:
        console().print(f"[yellow]{len(found.problems)} problem(s): run holdfast config check[/]")


def _rows(found: Configuration, settings: Settings, root: str) -> list[tuple[str, Any, str]]:
    def origin(key: str, otherwise: str = "default") -> str:
        return _shown(found.values[key].origin, root) if key in found.values else otherwise

    rows: list[tuple[str, Any, str]] = [(key, getattr(settings, key), origin(key)) for key in GENERAL]
    for entry in CATALOG:
        chosen, prefix = settings.of(entry.id), f"policy.{entry.id}."
        rows.append((prefix + "mode", chosen.mode, origin(prefix + "mode", f"profile {settings.profile}")))
        rows.append((prefix + "paths", list(chosen.paths), origin(prefix + "paths")))
        defaults = load(entry).config
        for name in type(defaults).fields():
            value = chosen.own.get(name, getattr(defaults, name))
            rows.append((prefix + name, list(value) if isinstance(value, tuple) else value, origin(prefix + name)))
    return rows


def _shown(path: str, root: str) -> str:
    """Return a file for the eye: as seen from the project, or from the user's home."""
    home = os.path.expanduser("~")
    if path.startswith(root + "/"):
        return path[len(root) + 1 :]
    return "~" + path[len(home) :] if path.startswith(home + "/") else path


@config.command()
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
@click.pass_context
def check(ctx: click.Context, as_json: bool) -> None:
    """Check the configuration files; exit with 1 if something is wrong."""
    files = files_of(here(), dict(os.environ))
    found = read_configuration(files)
    if as_json:
        print_json([{"file": one.file, "line": one.line, "key": one.key, "problem": one.text} for one in found.problems])
    else:
        for one in found.problems:
            console().print(str(one), style="red", markup=False, soft_wrap=True)
        if not found.problems:
            read = [path for path in files if path and os.path.isfile(path)]
            named = escape(", ".join(read)) or "no file; defaults apply"
            console().print(f"[green]fine[/] ({named})", soft_wrap=True)
    ctx.exit(1 if found.problems else 0)
