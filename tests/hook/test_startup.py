"""Start-up is architecture: exactly these modules are loaded for an everyday event, and they come from the bundle."""

from __future__ import annotations

import subprocess
from typing import Any

import pytest

from tests.support.fixtures import STRICT
from tests.support.hook_process import PYTHON, Project, as_bytes, hook_argv
from tests.support.payloads import command_proposed, command_ran, prompt_given, stop, write_made, write_proposed
from tests.support.repositories import git

ALWAYS = {
    "__future__", "_json", "_sqlite3", "gc",
    "holdfast", "holdfast.boot",
    "holdfast.adapters", "holdfast.adapters.files", "holdfast.adapters.git", "holdfast.adapters.place",
    "holdfast.adapters.settings",
    "holdfast.app", "holdfast.app.hook", "holdfast.app.path",
    "holdfast.core", "holdfast.core.engine", "holdfast.core.event", "holdfast.core.facts", "holdfast.core.jsontext",
    "holdfast.core.ledger", "holdfast.core.ledger.tally", "holdfast.core.paths", "holdfast.core.policy",
    "holdfast.core.record", "holdfast.core.redaction", "holdfast.core.settings", "holdfast.core.verdict",
    "holdfast.hosts", "holdfast.hosts.claude_code", "holdfast.hosts.recognise",
    "holdfast.policies", "holdfast.policies.catalog",
    "holdfast.store", "holdfast.store.opening", "holdfast.store.recording", "holdfast.store.recovery_names",
    "holdfast.store.snapshot", "holdfast.store.sqlite", "holdfast.store.transaction",
}  # fmt: skip
"""What every event loads, on top of a bare interpreter."""
JUDGED = {"holdfast.adapters.facts"}
SAID = {"holdfast.adapters.audit_log"}

FORBIDDEN = {
    "re", "json", "typing", "enum", "dataclasses", "subprocess", "pathlib", "tomllib", "logging", "sqlite3", "functools",
    "collections", "contextlib", "os", "click", "rich", "importlib", "inspect", "datetime", "threading", "shutil", "tempfile",
}  # fmt: skip
"""What costs more than the hook's own work."""

# instead of ending, the process tells which modules it has
TELL_MODULES = "import sys, posix; posix._exit = lambda _status: posix.write(2, ' '.join(sys.modules).encode()); "
TELL_LOADERS = (
    "import sys, posix; posix._exit = lambda _status: posix.write(2, ' '.join(f'{name}={type(module.__spec__.loader).__name__}'"
    " for name, module in sys.modules.items() if name.startswith('holdfast.')).encode()); "
)


def told(project: Project, prelude: str, event: str, payload: dict[str, Any]) -> set[str]:
    argv = hook_argv(event, package_folder=project.package_folder, prelude=prelude)
    done = subprocess.run(argv, input=as_bytes(payload), env=project.variables(), capture_output=True, check=True)
    return set(done.stderr.decode().split())


def bare_interpreter() -> set[str]:
    code = "import sys; print(*sys.modules)"
    return set(subprocess.run([PYTHON, "-I", "-S", "-c", code], capture_output=True, check=True, text=True).stdout.split())


@pytest.fixture
def used_project(project: Project) -> Project:
    """A project whose configuration lies in the store already, as it does after a session's first event."""
    project.hook("PostToolUse", write_made(project))
    return project


def loaded(project: Project, event: str, payload: dict[str, Any]) -> set[str]:
    return told(project, TELL_MODULES, event, payload) - bare_interpreter()


def test_a_refused_edit_loads_exactly_these_modules(used_project: Project) -> None:
    modules = loaded(used_project, "PreToolUse", write_proposed(used_project))
    assert modules == ALWAYS | JUDGED | SAID | {"holdfast.policies.edit_on_main", "holdfast.policies.tampering"}


def test_an_edit_that_passes_loads_exactly_these_modules(used_project: Project) -> None:
    git(used_project.folder, "switch", "--quiet", "--create", "feature")
    modules = loaded(used_project, "PreToolUse", write_proposed(used_project))
    assert modules == ALWAYS | JUDGED | {"holdfast.policies.edit_on_main", "holdfast.policies.tampering"}


COMMANDS = {
    "holdfast.adapters.reading", "holdfast.core.globs", "holdfast.core.shell", "holdfast.core.shell.effects",
    "holdfast.core.shell.patterns", "holdfast.store.readings",
    "holdfast.policies.safe_command",
}  # fmt: skip
"""What a command loads that was read before: neither the reader, nor the tables of tools, nor policies that it does not concern."""


def test_a_command_that_was_read_before_loads_exactly_these_modules(used_project: Project) -> None:
    loaded(used_project, "PreToolUse", command_proposed(used_project, "git status"))
    modules = loaded(used_project, "PreToolUse", command_proposed(used_project, "git status"))
    assert modules == ALWAYS | JUDGED | SAID | COMMANDS


def test_a_new_command_loads_no_slow_module(used_project: Project) -> None:
    modules = loaded(used_project, "PreToolUse", command_proposed(used_project, "git log | head && make deploy"))
    assert "holdfast.core.shell.tools.git" in modules
    assert "holdfast.core.shell.tools.python" not in modules
    assert modules & FORBIDDEN == set()


def test_a_stop_with_a_summary_loads_exactly_these_modules(used_project: Project) -> None:
    modules = loaded(used_project, "Stop", stop(used_project))
    assert modules == ALWAYS | JUDGED | SAID | {"holdfast.policies.session_summary"}


def everyday(project: Project) -> dict[str, tuple[str, dict[str, Any]]]:
    return {
        "edit proposed": ("PreToolUse", write_proposed(project)),
        "edit made": ("PostToolUse", write_made(project)),
        "command proposed": ("PreToolUse", command_proposed(project)),
        "command ran": ("PostToolUse", command_ran(project, output="ok\n" * 1000)),
        "prompt": ("UserPromptSubmit", prompt_given(project, "Grüße, bitte weiter")),
        "stop": ("Stop", stop(project)),
    }


@pytest.mark.parametrize("name", everyday(Project(None, None)))  # type: ignore[arg-type]
def test_no_everyday_event_loads_a_slow_module(used_project: Project, name: str) -> None:
    assert loaded(used_project, *everyday(used_project)[name]) & FORBIDDEN == set()


def test_a_changed_configuration_is_parsed_once(used_project: Project) -> None:
    (used_project.folder / "holdfast.toml").write_text(STRICT + "retention_days = 7\n")
    first, second = (loaded(used_project, "PreToolUse", command_proposed(used_project)) for _ in range(2))
    assert "tomllib" in first
    assert second & FORBIDDEN == set()


def test_a_configuration_with_problems_is_not_parsed_at_every_event(used_project: Project) -> None:
    (used_project.folder / "holdfast.toml").write_text(STRICT + "retention_dayz = 7\n")
    first, second = (loaded(used_project, "PreToolUse", command_proposed(used_project)) for _ in range(2))
    assert "tomllib" in first
    assert second & FORBIDDEN == set()


def test_the_check_itself_sees_a_slow_module(used_project: Project) -> None:
    modules = told(used_project, "import re; " + TELL_MODULES, "PreToolUse", command_proposed(used_project))
    assert {"re", "enum"} <= modules & FORBIDDEN
