"""`holdfast doctor`: exercise what is installed."""

from __future__ import annotations

import os

import click
from rich.table import Table
from rich.text import Text

from holdfast.app.examination import FAIL, OK, examine
from holdfast.app.installation import here
from holdfast.cli.output import console, print_json, styled


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@click.pass_context
def doctor(ctx: click.Context, as_json: bool) -> None:
    """Send live payloads through the installed hook: it must refuse and permit; exit with 1 if it does not."""
    findings = examine(here(), dict(os.environ))
    if as_json:
        print_json([finding.__dict__ for finding in findings])
    else:
        table = Table(box=None, pad_edge=False, show_header=False)
        for column in range(3):
            table.add_column(no_wrap=column < 2)
        for finding in findings:
            detail = Text(finding.detail)
            if finding.state != OK and finding.remedy:
                detail.append(f"\n{finding.remedy}", "bold")
            table.add_row(styled(finding.state), finding.what, detail)
        console().print(table)
    ctx.exit(1 if any(finding.state == FAIL for finding in findings) else 0)
