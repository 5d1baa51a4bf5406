"""Counting uncommitted files: every kind of change once, as git tells it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from holdfast.adapters.git import working_tree_of
from holdfast.adapters.process import output_of
from holdfast.core.facts import WorkingTree
from tests.support.repositories import begin_conflicting_merge, commit_file, git, make_repository


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = make_repository(tmp_path / "repository")
    for name in ("a.txt", "b.txt"):
        commit_file(folder / name, f"{name}\n" * 20)
    return folder


def change(folder: Path) -> None:
    (folder / "a.txt").write_text("changed")


def remove(folder: Path) -> None:
    (folder / "a.txt").unlink()


def add(folder: Path) -> None:
    (folder / "new.txt").touch()
    git(folder, "add", "new.txt")


def rename(folder: Path) -> None:
    git(folder, "mv", "a.txt", "moved.txt")


def rename_and_change_another(folder: Path) -> None:
    rename(folder)
    (folder / "b.txt").write_text("changed")


def rename_without_staging(folder: Path) -> None:
    (folder / "a.txt").rename(folder / "moved.txt")
    git(folder, "add", "--intent-to-add", "moved.txt")


def stage_and_change_again(folder: Path) -> None:
    change(folder)
    git(folder, "add", "a.txt")
    (folder / "a.txt").write_text("again")


def untracked_file(folder: Path) -> None:
    (folder / "new.txt").touch()


def untracked_folder(folder: Path) -> None:
    (folder / "new").mkdir()
    for name in "xyz":
        (folder / "new" / name).touch()


def odd_names(folder: Path) -> None:
    for name in ("with space", "two\nlines", "größe", "R  renamed", " R x", "?? y", "a -> b"):
        (folder / name).touch()


def ignored(folder: Path) -> None:
    (folder / ".git/info/exclude").write_text("*.log\n")
    (folder / "x.log").touch()


def conflict(folder: Path) -> None:
    begin_conflicting_merge(folder)


CHANGES: list[tuple[Callable[[Path], None], WorkingTree]] = [
    (change, WorkingTree(1, 0)),
    (remove, WorkingTree(1, 0)),
    (add, WorkingTree(1, 0)),
    (rename, WorkingTree(1, 0)),
    (rename_and_change_another, WorkingTree(2, 0)),
    (rename_without_staging, WorkingTree(1, 0)),
    (stage_and_change_again, WorkingTree(1, 0)),
    (untracked_file, WorkingTree(1, 1)),
    (untracked_folder, WorkingTree(1, 1)),
    (odd_names, WorkingTree(7, 7)),
    (ignored, WorkingTree(0, 0)),
    (conflict, WorkingTree(1, 0)),
]


@pytest.mark.parametrize(("make", "expected"), CHANGES, ids=[make.__name__.replace("_", " ") for make, _ in CHANGES])
def test_every_kind_of_change_is_counted_once(repository: Path, make: Callable[[Path], None], expected: WorkingTree) -> None:
    make(repository)
    assert working_tree_of(str(repository)) == expected


def test_the_whole_tree_is_counted_from_any_folder_in_it(repository: Path) -> None:
    (repository / "deep").mkdir()
    commit_file(repository / "deep/c.txt", "c")
    change(repository)
    assert working_tree_of(str(repository / "deep")) == WorkingTree(1, 0)


def test_variables_of_a_surrounding_git_hook_lead_nowhere_else(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    change(repository)
    other = make_repository(tmp_path / "other")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git/index"))
    assert working_tree_of(str(repository)) == WorkingTree(1, 0)


def test_counting_takes_no_lock_and_changes_no_index(repository: Path) -> None:
    index = repository / ".git/index"
    (repository / "a.txt").touch()
    before = index.read_bytes()
    (repository / ".git/index.lock").touch()
    assert working_tree_of(str(repository)) == WorkingTree(0, 0)
    assert index.read_bytes() == before


def test_without_git_on_the_path_the_counts_are_missing(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    assert working_tree_of(str(repository)) == WorkingTree(-1, -1)


def test_a_repository_that_git_refuses_has_no_counts(repository: Path) -> None:
    (repository / ".git/config").write_text("broken [")
    assert working_tree_of(str(repository)) == WorkingTree(-1, -1)


def test_a_program_that_takes_too_long_is_ended_with_all_its_children(tmp_path: Path) -> None:
    marker = tmp_path / "alive"
    script = f"(sleep 1; touch '{marker}') & sleep 30"
    assert output_of(["sh", "-c", script], str(tmp_path), 0.1) is None
    survivors = output_of(["sh", "-c", "sleep 1.2; ls"], str(tmp_path), 5)
    assert survivors == ""


PROGRAMS = [
    (["sh", "-c", "echo out; echo err >&2"], "out\n"),
    (["sh", "-c", "echo out; exit 3"], None),
    (["no-such-program"], None),
    (["sh", "-c", "printf '\\377x'"], "\ufffdx"),
    (["cat"], ""),
    (["sh", "-c", "yes | head -c 1000000"], "y\n" * 500_000),
]


@pytest.mark.parametrize(("argv", "expected"), PROGRAMS, ids=[argv[-1] for argv, _ in PROGRAMS])
def test_a_program_gives_its_output_or_nothing(tmp_path: Path, argv: list[str], expected: str | None) -> None:
    assert output_of(argv, str(tmp_path), 10) == expected


def test_a_folder_that_is_gone_gives_nothing(tmp_path: Path) -> None:
    assert output_of(["pwd"], str(tmp_path / "gone"), 5) is None
