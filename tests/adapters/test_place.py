"""Where an event happens: the project's root and its store, from where the host stands and where the session began."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.adapters.place import Place, locate
from tests.support.repositories import add_worktree, commit_file, git, make_repository


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    return make_repository(tmp_path / "repository")


def in_repository(root: Path, repository: Path) -> Place:
    return Place(str(root), f"{repository}/.git/holdfast", f"{repository}/.git")


def test_in_a_repository_its_root_is_the_place_and_the_store_lies_in_its_git_folder(repository: Path) -> None:
    (repository / "deep/er").mkdir(parents=True)
    for cwd in ("", ".", "deep", "deep/er"):
        for project in ("", "deep"):
            assert locate(str(repository / cwd), str(repository / project)) == in_repository(repository, repository)


def test_outside_of_git_the_sessions_folder_is_the_place(tmp_path: Path) -> None:
    (tmp_path / "project/deep").mkdir(parents=True)
    project = str(tmp_path / "project")
    assert locate(str(tmp_path / "project/deep"), project) == Place(project, f"{project}/.holdfast")


def test_without_a_sessions_folder_the_cwd_counts(repository: Path, tmp_path: Path) -> None:
    assert locate(str(repository), "") == in_repository(repository, repository)
    assert locate(str(tmp_path), "") == Place(str(tmp_path), f"{tmp_path}/.holdfast")


def test_going_into_another_repository_does_not_lead_away_from_the_sessions_own(repository: Path, tmp_path: Path) -> None:
    other = make_repository(tmp_path / "other")
    assert locate(str(other), str(repository)) == in_repository(repository, repository)


def test_going_into_a_repository_from_outside_of_git_stays_with_the_sessions_folder(repository: Path, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    assert locate(str(repository), str(plain)) == Place(str(plain), f"{plain}/.holdfast")


def test_a_worktree_of_the_same_repository_is_where_the_work_is_done(repository: Path, tmp_path: Path) -> None:
    worktree = add_worktree(repository, tmp_path / "worktree", "feature")
    assert locate(str(worktree), str(repository)) == in_repository(worktree, repository)
    assert locate(str(repository), str(worktree)) == in_repository(repository, repository)
    assert locate("", str(worktree)) == in_repository(worktree, repository)


def test_a_submodule_belongs_to_the_superproject_that_the_session_began_in(repository: Path, tmp_path: Path) -> None:
    inner = make_repository(tmp_path / "inner")
    commit_file(inner / "a.txt", "a")
    git(repository, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner), "sub")
    assert locate(str(repository / "sub"), str(repository)) == in_repository(repository, repository)
    own = locate(str(repository / "sub"), str(repository / "sub"))
    assert own.root == str(repository / "sub")
    assert own.store == f"{repository}/.git/modules/sub/holdfast"


def test_a_worktree_of_a_bare_repository_keeps_its_store_there(repository: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", "--bare", str(repository), "bare.git")
    worktree = tmp_path / "worktree"
    git(tmp_path / "bare.git", "worktree", "add", "--quiet", str(worktree), "main")
    assert locate(str(worktree), str(worktree)) == Place(str(worktree), f"{tmp_path}/bare.git/holdfast", f"{tmp_path}/bare.git")


def test_links_are_followed(repository: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(repository)
    assert locate(str(link), str(link)) == in_repository(repository, repository)


@pytest.mark.parametrize("gone", ["", "/nonexistent/folder", "/nul\0byte", "/lone\ud800surrogate", "/etc/hostname/x"])
def test_a_cwd_that_is_gone_or_cannot_be_leaves_the_sessions_folder(repository: Path, gone: str) -> None:
    assert locate(gone, str(repository)) == in_repository(repository, repository)


@pytest.mark.parametrize("gone", ["", "/nonexistent/folder", "/nul\0byte", "/lone\ud800surrogate"])
def test_a_sessions_folder_that_is_gone_or_cannot_be_leaves_the_cwd(repository: Path, gone: str) -> None:
    assert locate(str(repository), gone) == in_repository(repository, repository)


@pytest.mark.parametrize("gone", ["", "/nonexistent/folder", "/nul\0byte"])
def test_when_both_are_gone_there_is_no_place(gone: str) -> None:
    assert locate(gone, gone) == Place()


def test_a_file_is_no_place(repository: Path) -> None:
    (repository / "file").touch()
    assert locate(str(repository / "file"), str(repository)) == in_repository(repository, repository)


@pytest.mark.parametrize("name", ["with space", "two\nlines", "größe", "'\"", "trailing "])
def test_odd_names_are_kept(tmp_path: Path, name: str) -> None:
    folder = make_repository(tmp_path / name)
    assert locate(str(folder), str(folder)) == in_repository(folder, folder)


@pytest.mark.parametrize("name", ["with space", "two\nlines", "größe", "trailing "])
def test_worktrees_of_oddly_named_repositories_are_found(tmp_path: Path, name: str) -> None:
    folder = make_repository(tmp_path / name)
    worktree = add_worktree(folder, tmp_path / f"{name}-worktree", "feature")
    assert locate(str(worktree), str(worktree)) == in_repository(worktree, folder)
