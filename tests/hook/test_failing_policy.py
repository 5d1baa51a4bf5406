"""A policy that crashes or cannot be imported: its gate closes and says so, everything else works on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.fixtures import STRICT
from tests.support.hook_process import Project, require_deny
from tests.support.ledger import ledger_of
from tests.support.packages import copy_package, plant
from tests.support.payloads import session_start, stop, write_made, write_proposed

GATE, SUMMARY, BRIEF = "policies/edit_on_main.py", "policies/session_summary.py", "policies/session_brief.py"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return copy_package(tmp_path / "package")


@pytest.fixture
def faulty(project: Project, package: Path) -> Project:
    """A project whose hook runs from a copy of the package, in which a test plants its fault."""
    return project.with_package(package)


FAULTS = {
    "crashes in decide": (
        "    refused: list[str] = []",
        "    raise RuntimeError('planted fault')",
        "RuntimeError: planted fault",
    ),
    "crashes in needs": (
        "    return tuple(repository_of(path) for path in _paths(event)) or None",
        "    return 1 / 0",
        "ZeroDivisionError: division by zero",
    ),
    "runs out of stack": ("    refused: list[str] = []", "    return decide(event, facts, config)", "RecursionError"),
    "asks for what it did not declare": ("facts.repository(path)", "facts.working_tree(path)", "was not declared"),
    "has a syntax error": ("MOST_NAMED = 3", "MOST_NAMED = = 3", "SyntaxError"),
    "imports what is not there": ("MOST_NAMED = 3", "import no_such_module", "ModuleNotFoundError"),
    "has no policy in it": ('POLICY = Policy("edit-on-main"', 'OTHER = Policy("edit-on-main"', "AttributeError"),
}
faults = pytest.mark.parametrize(("old", "new", "error"), FAULTS.values(), ids=FAULTS.keys())


@faults
def test_a_gate_that_fails_denies_names_itself_and_says_how_to_go_on(faulty: Project, old: str, new: str, error: str) -> None:
    plant(faulty.package_folder, GATE, old, new)
    for _ in range(2):
        answer = faulty.hook("PreToolUse", write_proposed(faulty))
        require_deny(answer, "policy edit-on-main failed", error, "holdfast explain last", "[policy.edit-on-main]")


@faults
def test_the_failure_of_a_policy_is_recorded_with_the_event(faulty: Project, old: str, new: str, error: str) -> None:
    plant(faulty.package_folder, GATE, old, new)
    faulty.hook("PreToolUse", write_proposed(faulty))
    ((policy, effective, recorded),) = ledger_of(faulty).rows("SELECT policy, effective, error FROM ruling")
    assert (policy, effective) == ("edit-on-main", "deny")
    assert error in recorded
    assert ledger_of(faulty).column("SELECT decision FROM event") == ["deny"]


@faults
def test_a_gate_that_fails_denies_though_its_settings_cannot_be_checked(faulty: Project, old: str, new: str, error: str) -> None:
    (faulty.folder / "holdfast.toml").write_text(STRICT + '[policy.edit-on-main]\nbranches = ["main"]\n')
    plant(faulty.package_folder, GATE, old, new)
    require_deny(faulty.hook("PreToolUse", write_proposed(faulty)), "edit-on-main", error)


@faults
def test_other_policies_work_on_beside_one_that_fails(faulty: Project, old: str, new: str, error: str) -> None:
    plant(faulty.package_folder, GATE, old, new)
    assert "branch main" in faulty.hook("SessionStart", session_start(faulty)).context
    assert faulty.hook("PostToolUse", write_made(faulty)).silent
    assert "1 file edited" in faulty.hook("Stop", stop(faulty)).message


def test_the_way_out_that_a_failing_gate_names_works(faulty: Project) -> None:
    plant(faulty.package_folder, GATE, *FAULTS["crashes in decide"][:2])
    (faulty.folder / "holdfast.toml").write_text(STRICT + '[policy.edit-on-main]\nmode = "off"\n')
    assert faulty.hook("PreToolUse", write_proposed(faulty)).silent


@pytest.mark.parametrize("fault", ["has a syntax error", "imports what is not there"])
def test_the_way_out_works_for_a_gate_that_cannot_be_imported(faulty: Project, fault: str) -> None:
    plant(faulty.package_folder, GATE, *FAULTS[fault][:2])
    (faulty.folder / "holdfast.toml").write_text(STRICT + '[policy.edit-on-main]\nmode = "off"\n')
    assert faulty.hook("PreToolUse", write_proposed(faulty)).decision == ""


def test_a_gate_that_fails_in_warn_mode_denies_nothing(faulty: Project) -> None:
    (faulty.folder / "holdfast.toml").write_text('profile = "observe"\n')
    plant(faulty.package_folder, GATE, *FAULTS["crashes in decide"][:2])
    answer = faulty.hook("PreToolUse", write_proposed(faulty))
    assert answer.decision == ""
    assert "planted fault" in answer.context + answer.message


def test_a_policy_that_is_no_gate_fails_open_and_that_is_told_once(faulty: Project) -> None:
    plant(faulty.package_folder, SUMMARY, "    tally = facts.tally()", "    raise RuntimeError('planted fault')")
    faulty.hook("PostToolUse", write_made(faulty))
    first = faulty.hook("Stop", stop(faulty))
    assert "policy session-summary failed (RuntimeError: planted fault)" in first.message
    assert "decision" not in first.said
    assert faulty.hook("Stop", stop(faulty)).silent
    other = faulty.with_session("session-2")
    assert "session-summary failed" in other.hook("Stop", stop(other)).message


def test_a_brief_that_fails_lets_the_session_start_and_is_told_at_the_first_event_that_can_tell(faulty: Project) -> None:
    plant(faulty.package_folder, BRIEF, "    lines = []", "    raise RuntimeError('planted fault')")
    assert faulty.hook("SessionStart", session_start(faulty)).context == ""
    assert ledger_of(faulty).column("SELECT error FROM ruling") == ["RuntimeError: planted fault"]
    assert "session-brief failed" in faulty.hook("PostToolUse", write_made(faulty)).message


OUTSIDE_OF_POLICIES = {
    "the path": ("app/path.py", "    event = read_event(payload, delivery.name)", "    raise RuntimeError('planted fault')"),
    "the engine": ("core/engine.py", "    court = _Court(settings, world)", "    raise RuntimeError('planted fault')"),
    "the host's reader": ("hosts/claude_code.py", "    fields = as_dict(payload)\n    tool_input", "    raise RuntimeError('planted fault')\n    tool_input"),
    "the settings": ("core/settings.py", "    found = as_dict(value)", "    raise RuntimeError('planted fault')"),
    "the recording": ("store/recording.py", "    event = happening.event\n    earlier", "    raise RuntimeError('planted fault')\n    earlier"),
    "the opening of the store": ("store/opening.py", '    path = f"{folder}/{FILE}"\n    try:', "    raise RuntimeError('planted fault')\n    try:"),
    "a module of the path": ("app/path.py", "TYPE_CHECKING = False", "import no_such_module\nTYPE_CHECKING = False"),
}  # fmt: skip


@pytest.mark.parametrize(("module", "old", "new"), OUTSIDE_OF_POLICIES.values(), ids=OUTSIDE_OF_POLICIES.keys())
def test_a_fault_anywhere_else_closes_the_gate_and_opens_the_rest(faulty: Project, module: str, old: str, new: str) -> None:
    plant(faulty.package_folder, module, old, new)
    for _ in range(2):
        require_deny(faulty.hook("PreToolUse", write_proposed(faulty)))
        answer = faulty.hook("Stop", stop(faulty))
        assert "decision" not in answer.said
