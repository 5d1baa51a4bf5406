"""The layers of the package hold, and the checker that says so can fail."""

from __future__ import annotations

from pathlib import Path

import pytest

import holdfast

from .layers import MAY_IMPORT, REASONS, examined, names_in

ROOT = Path(holdfast.__file__).resolve().parent

# rule, file, source that breaks it
PLANTED: list[tuple[str, str, str]] = [
    ("layer", "core/engine.py", "from holdfast.store.opening import Store"),
    ("layer", "core/engine.py", "import holdfast.hosts.claude_code"),
    ("layer", "core/engine.py", "from holdfast.policies.catalog import CATALOG"),
    ("layer", "core/ledger/tally.py", "from ...adapters import git"),
    ("layer", "core/engine.py", "from holdfast import __version__"),
    ("layer", "core/engine.py", "from holdfast import store"),
    ("layer", "core/engine.py", "def late():\n    from holdfast.app.path import answer"),
    ("layer", "core/engine.py", "if False:\n    from holdfast.app.path import answer"),
    ("layer", "policies/force_push.py", "from holdfast.adapters.git import repository_of"),
    ("layer", "policies/force_push.py", "from holdfast.hosts.claude_code import read"),
    ("layer", "hosts/codex.py", "from holdfast.policies.catalog import CATALOG"),
    ("layer", "hosts/codex.py", "from ..store import opening"),
    ("layer", "store/opening.py", "from holdfast.app.path import answer"),
    ("layer", "adapters/git.py", "from holdfast.app import path"),
    ("layer", "adapters/git.py", "from holdfast.hosts.claude_code import read"),
    ("policies-apart", "policies/force_push.py", "from holdfast.policies.edit_on_main import Config"),
    ("policies-apart", "policies/force_push.py", "from holdfast.policies import edit_on_main"),
    ("policies-apart", "policies/force_push.py", "from .edit_on_main import Config"),
    ("policies-apart", "policies/force_push.py", "from . import edit_on_main"),
    ("catalog-only", "adapters/facts.py", "from holdfast.policies.edit_on_main import POLICY"),
    ("catalog-only", "store/queries.py", "import holdfast.policies.edit_on_main"),
    ("front", "app/path.py", "from holdfast.cli.main import main"),
    ("front", "app/path.py", "from holdfast import cli"),
    ("front", "core/engine.py", "from ..cli.output import console"),
    ("front", "boot.py", "import holdfast.cli.main"),
    ("front", "cli/main.py", "from holdfast.web.pages import serve"),
    ("front", "app/path.py", "import holdfast.web"),
    ("pure-library", "core/engine.py", "import os"),
    ("pure-library", "core/engine.py", "import sys"),
    ("pure-library", "core/engine.py", "def now():\n    from time import monotonic"),
    ("pure-library", "policies/force_push.py", "import random"),
    ("pure-library", "policies/force_push.py", "from os import environ"),
    ("pure-library", "hosts/codex.py", "import os.path"),
    ("pure-library", "hosts/codex.py", "import importlib"),
    ("pure-library", "core/engine.py", "from datetime import datetime"),
    ("pure-library", "core/engine.py", "import subprocess"),
    ("late-library", "core/redaction.py", "import re"),
    ("late-library", "core/globs.py", "def find():\n    import re"),
    ("late-library", "policies/force_push.py", "from re import compile"),
    ("pure-call", "core/engine.py", "def read(path):\n    return open(path).read()"),
    ("pure-call", "policies/force_push.py", "print('hello')"),
    ("pure-call", "hosts/codex.py", "name = input('who? ')"),
    ("hidden-import", "core/engine.py", "os = __import__('os')"),
    ("hidden-import", "hosts/codex.py", "exec('import os')"),
    ("third-party", "app/path.py", "import click"),
    ("third-party", "core/engine.py", "from rich.console import Console"),
    ("third-party", "adapters/config.py", "import yaml"),
    ("sql", "app/path.py", "QUERY = 'SELECT id FROM event'"),
    ("sql", "core/engine.py", "def q(table):\n    return f'SELECT id FROM {table}'"),
    ("sql", "adapters/facts.py", "TEXT = 'CREATE TABLE event (id INTEGER)'"),
    ("sql", "cli/log.py", "run('INSERT OR IGNORE INTO told VALUES (?)')"),
    ("sql", "cli/log.py", "run('DELETE FROM event')"),
    ("sql", "boot.py", "run('SELECT id'\n    ' FROM event')"),
    ("process", "adapters/git.py", "import subprocess"),
    ("process", "store/opening.py", "from subprocess import run"),
    ("process", "boot.py", "def go():\n    import subprocess"),
    ("process", "adapters/git.py", "import os\nos.system('git status')"),
    ("process", "store/opening.py", "import multiprocessing"),
]

LEGAL: list[tuple[str, str]] = [
    ("core/engine.py", "from holdfast.core.facts import Facts"),
    ("core/ledger/tally.py", "from ..event import Event"),
    ("core/engine.py", "from __future__ import annotations\nfrom typing import Any\nfrom collections.abc import Callable"),
    ("core/jsontext.py", "from _json import make_scanner\ndef late():\n    import json"),
    ("core/redaction.py", "def late():\n    import re"),
    ("core/engine.py", "TEXT = 'Select a file from the list'\ndef opened(world):\n    return world.open('x')"),
    ("policies/force_push.py", "from holdfast.core.verdict import deny"),
    ("policies/force_push.py", "from holdfast.policies.catalog import Entry"),
    ("policies/catalog.py", "def load(entry):\n    return __import__(entry.module)"),
    ("hosts/claude_code_wiring.py", "from holdfast.hosts.claude_code import CHANNELS"),
    ("store/opening.py", "import os\nimport time\nQUERY = 'SELECT id FROM event'"),
    ("store/opening.py", "from holdfast.adapters.files import stat\nfrom holdfast.core.record import Record"),
    ("adapters/config.py", "import os\nfrom holdfast import __version__\nfrom holdfast.policies.catalog import load"),
    ("adapters/process.py", "import subprocess"),
    ("app/live_hook.py", "import subprocess\nfrom holdfast.policies.edit_on_main import POLICY"),
    ("cli/main.py", "import click\nfrom rich.console import Console\nfrom holdfast.cli.output import console\nprint('x')"),
    ("__main__.py", "def main():\n    from holdfast.cli.main import main"),
]


def planted(folder: Path, module: str, source: str) -> Path:
    path = folder / module
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source + "\n", encoding="utf-8")
    return folder


def test_the_layers_hold() -> None:
    report = examined(ROOT)
    assert report.faults == [], "\n" + "\n".join(map(str, report.faults))


def test_the_whole_package_was_scanned() -> None:
    modules = examined(ROOT).modules
    assert len(modules) >= 40
    assert {"core/engine.py", "core/ledger/tally.py", "policies/catalog.py", "hosts/claude_code.py", "__main__.py"} <= set(modules)
    assert {module.partition("/")[0] for module in modules} >= {*MAY_IMPORT, "app", "cli"}


@pytest.mark.parametrize(("rule", "module", "source"), PLANTED, ids=[f"{row[0]} {row[1]} {row[2]}" for row in PLANTED])
def test_a_planted_violation_is_found(tmp_path: Path, rule: str, module: str, source: str) -> None:
    report = examined(planted(tmp_path, module, source))
    assert report.modules == [module]
    assert list(names_in(report)) == [rule]
    assert module in str(report.faults[0])
    assert REASONS[rule] in str(report.faults[0])


@pytest.mark.parametrize(("module", "source"), LEGAL, ids=[f"{row[0]} {row[1]}" for row in LEGAL])
def test_what_is_allowed_is_not_reported(tmp_path: Path, module: str, source: str) -> None:
    report = examined(planted(tmp_path, module, source))
    assert report.faults == []
    assert report.modules == [module]


def test_every_rule_has_a_planted_violation() -> None:
    assert {row[0] for row in PLANTED} == set(REASONS)


def test_a_violation_is_found_among_modules_that_are_in_order(tmp_path: Path) -> None:
    for module, source in LEGAL:
        planted(tmp_path, module, source)
    planted(tmp_path, "core/ledger/strikes.py", "import time")
    assert [fault.path for fault in examined(tmp_path).faults] == ["core/ledger/strikes.py"]
