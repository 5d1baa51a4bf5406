"""`holdfast demo`: a whole session through the real hook, in a scratch repository."""

from __future__ import annotations

import os
import shutil
import tempfile
from typing import Any

import click
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from holdfast.app.interpreter import package_folder, prepare, real_interpreter
from holdfast.app.live_hook import HookRun, run_hook
from holdfast.app.scratch import make_repository, write
from holdfast.app.script import Step, payload_of, steps
from holdfast.cli.explain import tree_of
from holdfast.cli.output import console, milliseconds, print_json, styled
from holdfast.hosts.claude_code_wiring import Command, direct_command
from holdfast.store.queries import event, events, open_for_reading


@click.command()
@click.option("--keep", is_flag=True, help="Leave the scratch repository in place and say where it is.")
@click.option("--json", "as_json", is_flag=True, help="Print each step and answer as JSON.")
@click.pass_context
def demo(ctx: click.Context, keep: bool, as_json: bool) -> None:
    """Play an agent's session through the real hook, in a scratch repository."""
    scratch = tempfile.mkdtemp(prefix="holdfast-demo-")
    try:
        folder = f"{os.path.realpath(scratch)}/greeting"
        played = _play(folder, scratch, None if as_json else console())
    finally:
        if not keep:
            shutil.rmtree(scratch, ignore_errors=True)
    if as_json:
        print_json(played)
    if keep:
        click.echo(f"The repository is in {folder}", err=as_json)
    ctx.exit(0 if all(one["decision"] == one["expected"] for one in played) else 1)


def _play(folder: str, scratch: str, out: Console | None) -> list[dict[str, Any]]:
    os.makedirs(folder)
    make_repository(folder)
    write(folder, "holdfast.toml", 'profile = "strict"\n')
    python = real_interpreter()
    prepare(python)
    command = direct_command(python, package_folder())
    if out:
        out.print(
            "[bold]Holdfast[/]: a scripted agent, the real hook process, a scratch repository on main, profile strict.\n"
        )
    played = [_step(step, number, command, folder, scratch, out) for number, step in enumerate(steps(), 1)]
    if out:
        _conclude(out, folder)
    return played


def _step(step: Step, number: int, command: Command, folder: str, scratch: str, out: Console | None) -> dict[str, Any]:
    payload = payload_of(step, number, folder)
    run = run_hook(command.argv(step.event), payload, folder, home=f"{scratch}/home")
    if out:
        _show(out, step, number, run)
    return {
        "step": step.what,
        "event": step.event,
        "decision": run.decision,
        "expected": step.expected,
        "text": run.text,
        "seconds": run.seconds,
        "answer": run.answer,
    }


def _show(out: Console, step: Step, number: int, run: HookRun) -> None:
    tool = step.given.get("tool_name", "")
    detail = step.given.get("tool_input", {})
    about = detail.get("command") or detail.get("file_path") or step.given.get("prompt", "")
    line = Text.assemble((f"{number}. ", "dim"), (step.what, "bold"))
    out.print(line)
    event_line = Text(f"{step.event} {tool} {about}".rstrip(), "dim")
    verdict = Text("→ ").append_text(styled(run.decision)).append(f"  {milliseconds(run.seconds)}", "dim")
    if run.decision != step.expected:
        verdict.append(f"  expected {step.expected}; exit {run.exit_code} {run.stderr.strip()[-200:]}", "bold red")
    out.print(Padding(event_line, (0, 0, 0, 3)))
    out.print(Padding(verdict, (0, 0, 0, 3)))
    if run.text:
        out.print(Padding(Text(run.text), (0, 0, 0, 5)))


def _conclude(out: Console, folder: str) -> None:
    connection = open_for_reading(f"{folder}/.git/holdfast")
    assert connection is not None
    refused = events(connection, decision="deny", most=1)
    out.print("\n[bold]Everything is recorded; this is `holdfast explain` for the refusal:[/]\n")
    found = event(connection, refused[0]["id"]) if refused else None
    if found:
        out.print(tree_of(found))
    out.print("\nIn a project of yours: [bold]holdfast init[/], then [bold]holdfast doctor[/].")
