"""`doctor`: green after `init`, red with the right remedy when something is wrong."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import stat
from pathlib import Path

import pytest

from tests.support.configurations import NOTHING_ENFORCED

from .conftest import Shell


def finding(shell: Shell, what: str, **variables: str) -> dict[str, str]:
    """Return the finding of this name, and check that the exit status fits the findings."""
    done = shell("doctor", "--json", **variables)
    found = done.json
    assert done.status == (1 if any(one["state"] == "fail" for one in found) else 0)
    chosen = [one for one in found if one["what"] == what]
    assert chosen, found
    return chosen[0]


def test_green_after_init(shell: Shell) -> None:
    shell("init", "--profile", "strict")
    done = shell("doctor")
    assert done.status == 0, done.stdout
    for part in ("edit-on-main refuses", "edit-on-main permits", "the interpreter alone", "not switched off"):
        assert part in done.stdout
    assert "fail" not in done.stdout


def test_red_before_init(shell: Shell) -> None:
    found = finding(shell, "wiring")
    assert (found["state"], found["remedy"]) == ("fail", "Run `holdfast init`.")


def test_red_after_the_interpreter_is_moved_away(shell: Shell, tmp_path: Path) -> None:
    import sys

    link = tmp_path / "python"
    link.symlink_to(os.path.realpath(sys.executable))
    shell("init", "--python", str(link))
    assert finding(shell, "interpreter")["state"] == "ok"
    link.rename(tmp_path / "moved")
    found = finding(shell, "interpreter")
    assert found["state"] == "fail"
    assert str(link) in found["detail"]
    assert "holdfast init" in found["remedy"]
    shell("init")
    assert finding(shell, "interpreter")["state"] == "ok"


def test_red_after_the_package_is_moved_away(shell: Shell) -> None:
    shell("init")
    path = shell.project / ".claude/settings.local.json"
    import holdfast

    folder = str(Path(holdfast.__file__).parent.parent)
    path.write_text(path.read_text().replace(json.dumps(folder), '"/nowhere"'))
    assert "/nowhere" in finding(shell, "package")["detail"]


def test_red_when_hooks_are_switched_off(shell: Shell) -> None:
    shell("init")
    (shell.home / ".claude").mkdir()
    (shell.home / ".claude" / "settings.json").write_text('{"disableAllHooks": true}')
    assert "disableAllHooks" in finding(shell, "hooks")["detail"]


def test_red_when_a_gate_was_enforced_after_wiring(shell: Shell) -> None:
    (shell.project / "holdfast.toml").write_text(NOTHING_ENFORCED)
    shell("init")
    (shell.project / "holdfast.toml").write_text('profile = "strict"\n')
    found = finding(shell, "events")
    assert found["state"] == "fail"
    assert "holdfast init" in found["remedy"]


def test_red_when_a_gate_does_not_refuse(shell: Shell, tmp_path: Path) -> None:
    """The probe is live: a package whose gate says nothing is found out."""
    import holdfast

    copy = tmp_path / "package"
    shutil.copytree(Path(holdfast.__file__).parent, copy / "holdfast", ignore=shutil.ignore_patterns("__pycache__"))
    gate = copy / "holdfast/policies/edit_on_main.py"
    gate.write_text(gate.read_text().replace("    if not refused:\n", "    if True:\n"))
    shell("init", "--profile", "strict")
    path = shell.project / ".claude/settings.local.json"
    path.write_text(path.read_text().replace(json.dumps(str(Path(holdfast.__file__).parent.parent)), json.dumps(str(copy))))
    assert finding(shell, "edit-on-main refuses")["state"] == "fail"
    assert finding(shell, "edit-on-main permits")["state"] == "ok"


@pytest.mark.parametrize(
    ("version", "state"), [("2.1.325", "ok"), ("2.1.294", "warn"), ("2.1.100", "fail"), ("1.0.0", "fail"), ("?", "warn")]
)
def test_client_version_is_judged(shell: Shell, tmp_path: Path, version: str, state: str) -> None:
    program = tmp_path / "bin" / "claude"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\necho '{version} (Claude Code)'\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    shell("init", "--profile", "strict")
    assert finding(shell, "client", PATH=f"{program.parent}:/usr/bin:/bin")["state"] == state


def test_corrupt_store_is_reported(shell: Shell) -> None:
    shell("init")
    shell.hook("Stop")
    store = shell.project / ".git/holdfast"
    for name in ("holdfast.db-wal", "holdfast.db-shm"):
        (store / name).unlink()
    (store / "holdfast.db").write_bytes(b"garbage" * 1000)
    assert finding(shell, "store")["state"] == "fail"


def test_store_of_a_newer_version_is_reported(shell: Shell) -> None:
    shell("init")
    shell.hook("Stop")
    connection = sqlite3.connect(shell.project / ".git/holdfast/holdfast.db")
    connection.execute("PRAGMA user_version=99")
    connection.close()
    assert "newer" in finding(shell, "store")["detail"]


def test_broken_configuration_is_reported(shell: Shell) -> None:
    shell("init")
    (shell.project / "holdfast.toml").write_text('profil = "strict"\n')
    found = finding(shell, "configuration")
    assert found["state"] == "fail"
    assert "did you mean 'profile'" in found["detail"]
