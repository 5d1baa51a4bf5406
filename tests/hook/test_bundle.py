"""The bundle makes the start quick and is never trusted beyond its time: absent, stale or foreign, the sources count."""

from __future__ import annotations

import marshal
import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.hook.test_startup import TELL_LOADERS, told
from tests.support.hook_process import Project, require_deny
from tests.support.packages import build_bundle, copy_package, plant
from tests.support.payloads import session_start, write_proposed

MODULE = "policies/edit_on_main.py"
OLD, NEW, LONGER = "the old reason", "the new reason", "a reason that is longer"
REASON = """
from holdfast.core.verdict import deny

POLICY = POLICY.replace(decide=lambda *_given: deny("planted", "the old reason", remedy="Run `this`."))
"""


def change(package_folder: Path, new: str = NEW) -> Path:
    """Change a module of a copy, by default so that its size stays as it was."""
    path = package_folder / "holdfast" / MODULE
    path.write_text(path.read_text().replace(OLD, new))
    return path


@pytest.fixture
def copied(project: Project, tmp_path: Path) -> Project:
    """A project whose hook runs from a fresh copy of the package, without bundle and bytecode."""
    package = copy_package(tmp_path / "package")
    plant(package, MODULE, REASON)
    return project.with_package(package)


@pytest.fixture
def bundled(copied: Project) -> Project:
    """The same with a bundle."""
    build_bundle(copied.package_folder)
    return copied


def bundle_of(project: Project) -> Path:
    return project.package_folder / f"holdfast/__pycache__/hook.{sys.implementation.cache_tag}.bundle"


def reason(project: Project) -> str:
    answer = project.hook("PreToolUse", write_proposed(project))
    require_deny(answer, "edit-on-main")
    return answer.reason


def loaders(project: Project) -> dict[str, str]:
    found = told(project, TELL_LOADERS, "PreToolUse", write_proposed(project))
    return dict(one.split("=") for one in found)


def test_without_a_bundle_the_hook_works_from_its_sources(copied: Project) -> None:
    assert not bundle_of(copied).exists()
    assert OLD in reason(copied)
    assert set(loaders(copied).values()) == {"SourceFileLoader"}


def test_with_a_bundle_every_module_but_the_boot_comes_from_it(bundled: Project) -> None:
    found = loaders(bundled)
    assert found.pop("holdfast.boot") == "SourceFileLoader"
    assert set(found.values()) == {"Bundle"}
    assert OLD in reason(bundled)


def test_neither_bundle_nor_bytecode_depends_on_pythondontwritebytecode(bundled: Project) -> None:
    quiet = bundled.with_environment(PYTHONDONTWRITEBYTECODE="1", PYTHONPYCACHEPREFIX="/nonexistent")
    reason(quiet)
    found = loaders(quiet)
    assert (found["holdfast.app.hook"], found["holdfast.policies.edit_on_main"]) == ("Bundle", "Bundle")
    cached = {path.name.partition(".")[0] for path in (bundled.package_folder / "holdfast/__pycache__").glob("*.pyc")}
    assert cached == {"__init__", "boot"}


def changed_within_the_second(package_folder: Path) -> None:
    """Change a module so that its size and its time in whole seconds stay as they were."""
    path = package_folder / "holdfast" / MODULE
    before = path.stat()
    change(package_folder)
    elsewhere = before.st_mtime_ns // 10**9 * 10**9 + (before.st_mtime_ns + 10**6) % 10**9
    os.utime(path, ns=(elsewhere, elsewhere))
    after = path.stat()
    assert (after.st_size, after.st_mtime_ns // 10**9) == (before.st_size, before.st_mtime_ns // 10**9)


def test_after_a_change_the_new_code_runs(bundled: Project) -> None:
    assert OLD in reason(bundled)
    change(bundled.package_folder, LONGER)
    assert LONGER in reason(bundled)
    found = loaders(bundled)
    assert found["holdfast.policies.edit_on_main"] == "SourceFileLoader"
    assert found["holdfast.app.path"] == "Bundle"


def test_after_a_change_of_the_same_size_within_the_same_second_the_new_code_runs(bundled: Project) -> None:
    changed_within_the_second(bundled.package_folder)
    assert NEW in reason(bundled)


def test_after_such_a_change_the_new_code_runs_though_bytecode_of_the_old_lies_there(copied: Project) -> None:
    assert OLD in reason(copied), "from the source, which leaves bytecode behind"
    build_bundle(copied.package_folder)
    changed_within_the_second(copied.package_folder)
    assert NEW in reason(copied)


def test_a_change_back_in_time_runs_the_new_code(bundled: Project) -> None:
    path = change(bundled.package_folder)
    os.utime(path, (0, 0))
    assert NEW in reason(bundled)


def test_a_stale_bundle_is_renewed_when_a_session_starts(bundled: Project) -> None:
    change(bundled.package_folder, LONGER)
    bundled.hook("SessionStart", session_start(bundled))
    # the start itself had no need of the changed module; the edit has, and the next start sees it
    reason(bundled)
    bundled.hook("SessionStart", session_start(bundled))
    assert LONGER in reason(bundled)


def test_a_missing_bundle_is_built_when_a_session_starts(copied: Project) -> None:
    copied.hook("SessionStart", session_start(copied))
    assert bundle_of(copied).exists()
    assert loaders(copied)["holdfast.app.path"] == "Bundle"
    assert OLD in reason(copied)


def test_a_bundle_of_another_python_is_not_used(bundled: Project) -> None:
    whole = bundle_of(bundled).read_bytes()
    _version, entries = marshal.loads(whole[10:])
    poison = marshal.dumps(compile("raise SystemExit(9)", "x", "exec"))
    poisoned = marshal.dumps(("3.99.0 (another build)", {name: (*entry[:4], 0, len(poison)) for name, entry in entries.items()}))
    bundle_of(bundled).write_bytes(b"%010d" % len(poisoned) + poisoned + poison)
    assert OLD in reason(bundled)
    assert set(loaders(bundled).values()) == {"SourceFileLoader"}


DAMAGES = {
    "empty": lambda data: b"",
    "truncated": lambda data: data[: len(data) // 2],
    "garbage": lambda data: b"\xff" * 1000,
    "another value": lambda data: marshal.dumps(7),
    "entries as another Holdfast may have written them": lambda data: b"%010d" % 200 + marshal.dumps((sys.version, {"holdfast.app": (True,)})),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_a_damaged_bundle_is_passed_over(bundled: Project, damage: object) -> None:
    assert callable(damage)
    bundle_of(bundled).write_bytes(damage(bundle_of(bundled).read_bytes()))
    assert OLD in reason(bundled)


def test_a_package_that_was_moved_with_its_bundle_runs_from_its_new_place(bundled: Project, tmp_path: Path) -> None:
    moved = bundled.package_folder.rename(tmp_path / "moved")
    assert OLD in reason(bundled.with_package(moved))


def test_a_package_that_was_copied_with_its_bundle_runs_its_own_code(bundled: Project, tmp_path: Path) -> None:
    twin = tmp_path / "twin"
    shutil.copytree(bundled.package_folder, twin)
    change(twin)
    assert NEW in reason(bundled.with_package(twin))
