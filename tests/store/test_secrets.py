"""No secret reaches a file: not the store, not what waits for it, not the audit log, not the user's state folder."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.support.hook_process import Project
from tests.support.ledger import Ledger, ledger_of
from tests.support.packages import copy_package, plant_in_policy
from tests.support.payloads import (
    command_failed,
    command_proposed,
    command_ran,
    prompt_given,
    session_start,
    stop,
    write_made,
    write_proposed,
)

_LONG = "Qz7Xk2Vw9Lm4Tb8Rn3Yc6Hd1Gf5Js0Pa"
# put together here, so that no scanner takes this file for a leak
SECRETS = {
    "a key of a model's provider": ("sk-" + "ant-api03-" + _LONG, "{}"),
    "a token of a code host": ("gh" + "p_" + _LONG, "{}"),
    "an access key": ("AK" + "IA" + "Q7XK2VW9LM4TB8RN", "{}"),
    "a signed token": ("ey" + "JhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9." + _LONG, "{}"),
    "a chat token": ("xo" + "xb-123456789012-" + _LONG, "{}"),
    "a private key": ("MIIE" + _LONG * 20, "-----BEGIN RSA PRIVATE " + "KEY-----\n{}\n-----END RSA PRIVATE " + "KEY-----"),
    "a password in an address": ("pw" + _LONG, "postgres://admin:{}@db.example.org/main"),
    "a variable": ("v" + _LONG, "export DB_PASSWORD={}"),
    "a flag": ("f" + _LONG, "deploy --api-key {} --verbose"),
    "a header": ("h" + _LONG, "curl -H 'Authorization: Bearer {}' https://example.org"),
    "a field": ("j" + _LONG, '{{"client_secret": "{}"}}'),
}
kinds = pytest.mark.parametrize(("secret", "form"), SECRETS.values(), ids=SECRETS.keys())


@pytest.fixture
def logged_project(project: Project) -> Project:
    """A project with an audit log."""
    (project.folder / ".claude").mkdir()
    record = ledger_of(project).folder / "install.json"
    record.parent.mkdir(parents=True, exist_ok=True)
    record.write_text("{}")  # the log is written only where `init` was run
    return project


def everything_written(project: Project) -> bytes:
    """Return every byte in the folders that Holdfast writes to, and the names of all files."""
    folders = (ledger_of(project).folder, project.folder / ".claude", project.home)
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    assert files
    # and the content by rows, for a text may lie astride two pages of the file
    return b"\n".join([bytes(path) + b"\n" + path.read_bytes() for path in files]) + rows_of(ledger_of(project))


def rows_of(ledger: Ledger) -> bytes:
    if not ledger.file.is_file():
        return b""
    with closing(sqlite3.connect(ledger.file)) as connection:
        return "\n".join(connection.iterdump()).encode()


def tell_everything(project: Project, text: str) -> None:
    """Run a hook for every kind of event that can carry a text, with the text in every place."""
    calls: list[dict[str, Any]] = [
        session_start(project, source=text),
        prompt_given(project, f"use this: {text}"),
        command_proposed(project, f"{text} && true"),
        command_ran(project, f"echo {text}", output=f"{text}\n" * 3),
        command_failed(project, "env", error=f"Exit code 1\n{text}\n"),
        write_proposed(project, content=f"# {text}\n"),
        write_made(project, content="x = 1\n" * 1_332 + f"\n{text}\n" + "y = 2\n" * 3_000),
        stop(project, last_assistant_message=f"done: {text}"),
    ]
    for payload in calls:
        project.hook(payload["hook_event_name"], payload | {"extra": [{"deep": text}], f"named {text}": 1})


@kinds
def test_no_secret_reaches_a_file(logged_project: Project, secret: str, form: str) -> None:
    tell_everything(logged_project, form.format(secret))
    assert secret.encode() not in everything_written(logged_project)
    assert ledger_of(logged_project).count() == 8


@kinds
def test_no_secret_reaches_what_waits_for_the_store(logged_project: Project, secret: str, form: str) -> None:
    ledger = ledger_of(logged_project)
    with ledger.unusable():
        tell_everything(logged_project, form.format(secret))
        assert ledger.waiting.stat().st_size > 1000
        assert secret.encode() not in everything_written(logged_project)
    logged_project.hook("Stop", stop(logged_project))
    assert secret.encode() not in everything_written(logged_project)


TOKEN = SECRETS["a key of a model's provider"][0]


def test_input_that_cannot_be_read_leaves_no_trace_of_its_content(logged_project: Project) -> None:
    for raw in (f'{{"command": "{TOKEN}', TOKEN, f'["{TOKEN}"]', f'"{TOKEN}"'):
        for event in ("PreToolUse", "Stop", TOKEN):
            logged_project.hook(event if event != TOKEN else "Unknown", raw.encode())
    assert TOKEN.encode() not in everything_written(logged_project)
    assert (logged_project.state_folder / "faults.log").stat().st_size > 0


@pytest.mark.parametrize("usable", [True, False], ids=["store", "no store"])
def test_the_message_of_a_failing_policy_is_written_without_secrets(logged_project: Project, tmp_path: Path, usable: bool) -> None:
    package = copy_package(tmp_path / "package")
    for module in ("edit_on_main", "session_summary"):
        # before any fact is asked for, so that it fails without a store as well
        plant_in_policy(package, module, "needs", f"raise ValueError('cannot handle {TOKEN}')")
    if not usable:
        make_store_unusable(logged_project)
    faulty = logged_project.with_package(package)
    faulty.hook("PreToolUse", write_proposed(faulty))
    faulty.hook("Stop", stop(faulty))
    assert b"cannot handle" in everything_written(faulty)
    assert TOKEN.encode() not in everything_written(faulty)


def make_store_unusable(project: Project) -> None:
    ledger_of(project).file.mkdir(parents=True)


@pytest.mark.parametrize("usable", [True, False], ids=["store", "no store"])
def test_a_secret_in_the_name_of_a_file_reaches_no_file(logged_project: Project, usable: bool) -> None:
    if not usable:
        make_store_unusable(logged_project)
    logged_project.hook("PreToolUse", write_proposed(logged_project, f"src/{TOKEN}/app.py"))
    logged_project.hook("PostToolUse", write_made(logged_project, f"src/{TOKEN}/app.py"))
    logged_project.hook("Stop", stop(logged_project))
    assert TOKEN.encode() not in everything_written(logged_project)


def test_a_secret_in_the_configuration_is_not_copied_into_messages(logged_project: Project) -> None:
    (logged_project.folder / "holdfast.toml").write_text(f'profile = "strict"\naudit_log = "{TOKEN}"\n')
    logged_project.hook("PostToolUse", write_made(logged_project))
    assert TOKEN.encode() not in everything_written(logged_project)


def test_the_check_itself_finds_a_secret(logged_project: Project) -> None:
    logged_project.hook("Stop", stop(logged_project))
    (logged_project.folder / ".claude/.audit-log").write_text(TOKEN)
    assert TOKEN.encode() in everything_written(logged_project)
