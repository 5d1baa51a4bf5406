"""`holdfast init` and `holdfast uninstall`."""

from __future__ import annotations

import os
import shutil
import sys

import click
from rich.console import Console
from rich.markup import escape

from holdfast.adapters.config import Configuration, Value, read_configuration, settings_of
from holdfast.adapters.git import repository_of
from holdfast.adapters.place import Place
from holdfast.adapters.settings import files_of
from holdfast.app.detection import Project, detect
from holdfast.app.install_record import Change
from holdfast.app.installation import current_settings, here, install, is_shared, planned, wanted_registrations
from holdfast.app.installation import uninstall as take_out
from holdfast.app.interpreter import package_folder, prepare, real_interpreter, works
from holdfast.app.trouble import Trouble
from holdfast.cli.output import console, print_json
from holdfast.core.settings import ENFORCE, PROFILES, WARN, Settings
from holdfast.hosts.claude_code_wiring import direct_command, path_command
from holdfast.policies.catalog import CATALOG


@click.command()
@click.option("--profile", type=click.Choice(list(PROFILES)), help="Write this profile into holdfast.toml.")
@click.option(
    "--shared/--local",
    "shared",
    default=None,
    help="Write .claude/settings.json, for the whole team (Holdfast is then found through PATH), or settings.local.json. "
    "Default: where the hooks are already, else local.",
)
@click.option("--yes", "-y", is_flag=True, help="Ask nothing.")
@click.option("--python", "python", metavar="PATH", help="The interpreter that runs the hook.")
@click.option("--all-events", is_flag=True, help="Wire every event and tool, to record what the host sends.")
@click.option("--json", "as_json", is_flag=True, help="Print what was done as JSON.")
def init(profile: str | None, shared: bool | None, yes: bool, python: str | None, all_events: bool, as_json: bool) -> None:
    """Wire this project's hooks into Claude Code."""
    place = here()
    settings = _settings(place, profile)
    if shared is None:
        shared = is_shared(place)
    interpreter = _interpreter(python)
    command = path_command() if shared else direct_command(interpreter, package_folder())
    wanted = wanted_registrations(settings, every_event=all_events)
    changes = planned(place, command, wanted, shared=shared, profile=profile or "")
    needed = [change.path for change in changes if change.needed]
    out = console()
    if not as_json:
        _announce(out, place, settings, detect(place.root), changes)
        asking = sys.stdin.isatty() and sys.stdout.isatty() and not yes
        if asking and needed and not click.confirm("Go ahead?", default=True):
            raise click.Abort
    written = install(place, changes)
    compiled = prepare(interpreter)
    if as_json:
        print_json({"root": place.root, "profile": settings.profile, "written": written, "compiled": compiled})
        return
    what = f"{len(written)} file(s) written" if written else "nothing had to be changed"
    out.print(f"[green]Wired:[/] {what}.")
    if not compiled:
        out.print(f"[yellow]The hook's code could not be compiled beside {package_folder()}; it will start more slowly.[/]")
    if shared:
        out.print("Everybody who works here needs Holdfast on PATH; without it, an enforced gate refuses every edit.")
    if any(path.endswith("holdfast.toml") for path in written):
        out.print("Commit holdfast.toml, so that clones have the same profile.")
    out.print("Next: [bold]holdfast doctor[/] shows that the hook answers; a running Claude Code picks it up by itself.")


def _settings(place: Place, profile: str | None) -> Settings:
    """Return the settings as they will be: modes that are set by hand stay."""
    if profile is None:
        return current_settings(place, dict(os.environ))
    found = read_configuration(files_of(place, dict(os.environ)))
    values = {**found.values, "profile": Value(profile, "init")}
    return settings_of(Configuration(values, found.problems, found.broken))


def _interpreter(python: str | None) -> str:
    if python is None:
        return real_interpreter()
    path = os.path.abspath(shutil.which(python) or python)
    if not works(path):
        raise Trouble(f"{path} is not a Python 3.11 or newer with SQLite", "Name another one with --python.", exit_code=2)
    return path


def _announce(out: Console, place: Place, settings: Settings, project: Project, changes: list[Change]) -> None:
    branch = repository_of(place.root)
    where = f"branch {branch.branch or '(detached)'}" if branch.root else "no git repository"
    languages = ", ".join(f"{name} ({count})" for name, count in project.languages[:5]) or "none recognised"
    frameworks = ", ".join(project.frameworks) or "none found"
    out.print(f"[bold]Project[/]     {escape(place.root)} · {escape(where)}", soft_wrap=True)
    out.print(f"[bold]Languages[/]   {languages}")
    out.print(f"[bold]Tests[/]       {frameworks} · {project.tests} test file(s)")
    out.print(f"[bold]Profile[/]     {settings.profile}: {PROFILES[settings.profile]}")
    for mode, verb in ((ENFORCE, "enforces"), (WARN, "watches")):
        ids = [entry.id for entry in CATALOG if settings.of(entry.id).mode == mode]
        if ids:
            out.print(f"            {verb} {', '.join(ids)}")
    for change in changes:
        if change.needed:
            verb = "Changes" if change.before is not None else "Creates"
            out.print(f"[bold]{verb}[/]     {escape(os.path.relpath(change.path, place.root))}", soft_wrap=True)


@click.command()
@click.option("--keep-history", is_flag=True, help="Leave the store with its events in place.")
@click.option("--json", "as_json", is_flag=True, help="Print what was done as JSON.")
def uninstall(keep_history: bool, as_json: bool) -> None:
    """Put everything back as it was before `holdfast init`."""
    place = here()
    done = take_out(place, keep_history=keep_history)
    if as_json:
        print_json({"root": place.root, "done": done})
        return
    for line in done:
        console().print(line, markup=False, soft_wrap=True)
    console().print("[green]Uninstalled.[/]" if done else "Nothing was installed here.")
