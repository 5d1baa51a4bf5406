"""A policy that crashes or cannot be imported: its gate closes and says so, everything else works on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.fixtures import STRICT
from tests.support.hook_process import Answer, Project, require_deny, require_legal
from tests.support.ledger import ledger_of
from tests.support.packages import copy_package, plant, plant_fault, plant_in_policy
from tests.support.payloads import session_start, stop, write_made, write_proposed


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return copy_package(tmp_path / "package")


@pytest.fixture
def faulty(project: Project, package: Path) -> Project:
    """A project whose hook runs from a copy of the package, in which a test plants its fault."""
    return project.with_package(package)


DECIDE, NEEDS, MODULE = "decide", "needs", ""
FAULTS = {
    "crashes in decide": (DECIDE, "raise RuntimeError('planted fault')", "RuntimeError: planted fault"),
    "crashes in needs": (NEEDS, "return 1 / 0", "ZeroDivisionError: division by zero"),
    "runs out of stack": (DECIDE, "return _planted(event)", "RecursionError"),
    "runs out of memory": (DECIDE, "raise MemoryError", "MemoryError"),
    "asks for what it did not declare": (DECIDE, "return facts.working_tree('/')", "was not declared"),
    "has a syntax error": (MODULE, "MOST_NAMED = = 3", "SyntaxError"),
    "imports what is not there": (MODULE, "import no_such_module", "ModuleNotFoundError"),
    "has no policy in it": (MODULE, "del POLICY", "AttributeError"),
}


def break_gate(project: Project, part: str, code: str) -> None:
    if part:
        plant_in_policy(project.package_folder, "edit_on_main", part, code)
    else:
        plant(project.package_folder, "policies/edit_on_main.py", code)


faults = pytest.mark.parametrize(("part", "code", "error"), FAULTS.values(), ids=FAULTS.keys())


@faults
def test_a_gate_that_fails_denies_names_itself_and_says_how_to_go_on(faulty: Project, part: str, code: str, error: str) -> None:
    break_gate(faulty, part, code)
    for _ in range(2):
        answer = faulty.hook("PreToolUse", write_proposed(faulty))
        require_deny(answer, "policy edit-on-main failed", error, "holdfast explain last", "[policy.edit-on-main]")


@faults
def test_the_failure_of_a_policy_is_recorded_with_the_event(faulty: Project, part: str, code: str, error: str) -> None:
    break_gate(faulty, part, code)
    faulty.hook("PreToolUse", write_proposed(faulty))
    ((policy, effective, recorded),) = ledger_of(faulty).rows("SELECT policy, effective, error FROM ruling WHERE policy = 'edit-on-main'")
    assert (policy, effective) == ("edit-on-main", "deny")
    assert error in recorded
    assert ledger_of(faulty).column("SELECT decision FROM event") == ["deny"]


@faults
def test_a_gate_that_fails_denies_though_its_settings_cannot_be_checked(faulty: Project, part: str, code: str, error: str) -> None:
    (faulty.folder / "holdfast.toml").write_text(STRICT + '[policy.edit-on-main]\nbranches = ["main"]\n')
    break_gate(faulty, part, code)
    require_deny(faulty.hook("PreToolUse", write_proposed(faulty)), "edit-on-main", error)


@faults
def test_other_policies_work_on_beside_one_that_fails(faulty: Project, part: str, code: str, error: str) -> None:
    break_gate(faulty, part, code)
    assert "branch main" in faulty.hook("SessionStart", session_start(faulty)).context
    assert faulty.hook("PostToolUse", write_made(faulty)).silent
    assert "1 file edited" in faulty.hook("Stop", stop(faulty)).message


def test_the_way_out_that_a_failing_gate_names_works(faulty: Project) -> None:
    break_gate(faulty, *FAULTS["crashes in decide"][:2])
    (faulty.folder / "holdfast.toml").write_text(STRICT + '[policy.edit-on-main]\nmode = "off"\n')
    assert faulty.hook("PreToolUse", write_proposed(faulty)).silent


@pytest.mark.parametrize("fault", ["has a syntax error", "imports what is not there"])
def test_the_way_out_works_for_a_gate_that_cannot_be_imported(faulty: Project, fault: str) -> None:
    break_gate(faulty, *FAULTS[fault][:2])
    (faulty.folder / "holdfast.toml").write_text(STRICT + '[policy.edit-on-main]\nmode = "off"\n')
    assert faulty.hook("PreToolUse", write_proposed(faulty)).decision == ""


def test_a_gate_that_fails_in_warn_mode_denies_nothing(faulty: Project) -> None:
    (faulty.folder / "holdfast.toml").write_text('profile = "observe"\n')
    break_gate(faulty, *FAULTS["crashes in decide"][:2])
    answer = faulty.hook("PreToolUse", write_proposed(faulty))
    assert answer.decision == ""
    assert "planted fault" in answer.context + answer.message


def test_a_policy_that_is_no_gate_fails_open_and_that_is_told_once(faulty: Project) -> None:
    plant_in_policy(faulty.package_folder, "session_summary", DECIDE, "raise RuntimeError('planted fault')")
    faulty.hook("PostToolUse", write_made(faulty))
    first = faulty.hook("Stop", stop(faulty))
    assert "policy session-summary failed (RuntimeError: planted fault)" in first.message
    assert "decision" not in first.said
    assert faulty.hook("Stop", stop(faulty)).silent
    other = faulty.with_session("session-2")
    assert "session-summary failed" in other.hook("Stop", stop(other)).message


def test_a_brief_that_fails_lets_the_session_start_and_is_told_at_the_first_event_that_can_tell(faulty: Project) -> None:
    plant_in_policy(faulty.package_folder, "session_brief", DECIDE, "raise RuntimeError('planted fault')")
    assert faulty.hook("SessionStart", session_start(faulty)).context == ""
    assert ledger_of(faulty).column("SELECT error FROM ruling") == ["RuntimeError: planted fault"]
    assert "session-brief failed" in faulty.hook("PostToolUse", write_made(faulty)).message


OUTSIDE_OF_POLICIES = {
    "the reading of an event": ("app/path.py", "read_event"),
    "the path": ("app/path.py", "answer"),
    "the engine": ("core/engine.py", "judge"),
    "the host's reader": ("hosts/claude_code.py", "read"),
    "the host's writer": ("hosts/claude_code.py", "_fitted"),
    "the parser": ("core/jsontext.py", "parse"),
    "the place": ("adapters/place.py", "locate"),
    "the settings": ("adapters/settings.py", "settings_for"),
    "the kept settings": ("store/snapshot.py", "kept_settings"),
    "the facts": ("adapters/git.py", "repository_of"),
    "the recording": ("store/recording.py", "write"),
    "the opening of the store": ("store/opening.py", "open_store"),
    "the audit log": ("adapters/audit_log.py", "append"),
}


def is_closed(result: Answer) -> bool:
    """Tell whether the host refuses the action: told so, or because a gate's hook failed (onFailure in the wiring)."""
    if result.status == 1:
        return result.stdout == b"" and result.stderr.startswith(b"Holdfast failed: ") and result.stderr.count(b"\n") == 1
    return require_legal(result).decision == "deny"


def lets_go_on(result: Answer) -> bool:
    """Tell whether the host goes on: exit status 2 and a decision would stop it."""
    return result.status in (0, 1) and "decision" not in result.said


@pytest.mark.parametrize(("module", "function"), OUTSIDE_OF_POLICIES.values(), ids=OUTSIDE_OF_POLICIES.keys())
def test_a_fault_anywhere_else_leaves_the_gate_closed_and_the_rest_open(faulty: Project, module: str, function: str) -> None:
    (faulty.folder / ".claude").mkdir()
    plant_fault(faulty.package_folder, module, function)
    for _ in range(2):
        assert is_closed(faulty.result("PreToolUse", write_proposed(faulty)))
        assert lets_go_on(faulty.result("Stop", stop(faulty)))


MODULES = [
    "app/path.py", "app/last_resort.py", "adapters/facts.py", "adapters/git.py", "adapters/place.py", "adapters/settings.py",
    "core/engine.py", "core/jsontext.py", "hosts/claude_code.py", "policies/catalog.py", "store/recording.py",
    "store/snapshot.py", "store/sqlite.py",
]  # fmt: skip


@pytest.mark.parametrize("module", MODULES)
def test_a_module_that_cannot_be_imported_leaves_the_gate_closed_and_the_rest_open(faulty: Project, module: str) -> None:
    plant(faulty.package_folder, module, "import no_such_module")
    assert is_closed(faulty.result("PreToolUse", write_proposed(faulty)))
    assert lets_go_on(faulty.result("Stop", stop(faulty)))
