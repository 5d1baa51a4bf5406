"""`holdfast dev`: for developers of Holdfast, in its own repository."""

from __future__ import annotations

import os

import click

from holdfast.app.interpreter import package_folder
from holdfast.app.pages import all_pages
from holdfast.app.trouble import Trouble


@click.group(hidden=True)
def dev() -> None:
    """For developers of Holdfast."""


@dev.command()
@click.option("--check", is_flag=True, help="Write nothing; fail if a page is not current.")
def generate(check: bool) -> None:
    """Write the pages that come from the code."""
    root = os.path.dirname(package_folder())
    if not os.path.isfile(f"{root}/pyproject.toml"):
        raise Trouble(f"{root} is not Holdfast's repository", "Run it from an editable install.", exit_code=2)
    stale = []
    for path, text in all_pages().items():
        target = f"{root}/{path}"
        if _present(target) == text:
            continue
        stale.append(path)
        if not check:
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "w", encoding="utf-8") as file:
                file.write(text)
    if check and stale:
        raise Trouble(f"not current: {', '.join(stale)}", "Run `make docs` and commit the result.")
    click.echo("generated pages are current" if not stale else f"written: {', '.join(stale)}")


def _present(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return None
