"""What the files of real git repositories tell, compared with what git itself says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from holdfast.adapters.git import find_checkout, repository_of, working_tree_of
from holdfast.core.facts import Repository, WorkingTree
from tests.support.repositories import add_worktree, begin_conflicting_merge, commit_file, git, make_repository


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    return make_repository(tmp_path / "repository")


BRANCHES = ["main", "feature", "feature/login", "a/b/c/d", "größe", "漢字/🙂", "with.dots", "UPPER", "x" * 100]


@pytest.mark.parametrize("packed", [False, True], ids=["loose", "packed"])
@pytest.mark.parametrize("branch", BRANCHES)
def test_the_branch_is_read_whatever_its_name_and_wherever_its_reference_lies(tmp_path: Path, branch: str, packed: bool) -> None:
    folder = make_repository(tmp_path / "repository", branch)
    if packed:
        git(folder, "pack-refs", "--all")
        assert not (folder / ".git/refs/heads" / branch).exists()
    assert repository_of(str(folder / "a.py")) == Repository(str(folder), "a.py", branch, has_commits=True)
    assert git(folder, "symbolic-ref", "--short", "HEAD").strip() == branch


def test_an_unborn_branch_has_no_commits(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "repository", commit=False)
    assert repository_of(str(folder / "a.py")) == Repository(str(folder), "a.py", "main", has_commits=False)


def test_an_unborn_branch_beside_packed_ones_has_no_commits(repository: Path) -> None:
    git(repository, "branch", "main-2")
    git(repository, "pack-refs", "--all")
    for name in ("orphan", "main-", "ain"):
        git(repository, "checkout", "--quiet", "--orphan", name)
        found = repository_of(str(repository))
        assert (found.branch, found.has_commits) == (name, False)


def test_a_detached_head_has_no_branch_but_commits(repository: Path) -> None:
    git(repository, "checkout", "--quiet", "--detach")
    assert repository_of(str(repository / "a.py")) == Repository(str(repository), "a.py", "", has_commits=True)


def test_a_tag_of_the_same_name_changes_nothing(repository: Path) -> None:
    git(repository, "tag", "main")
    git(repository, "pack-refs", "--all")
    assert repository_of(str(repository)).branch == "main"


def test_a_merge_in_progress_is_seen_until_it_is_over(repository: Path) -> None:
    begin_conflicting_merge(repository)
    assert repository_of(str(repository / "a.py")).merging
    git(repository, "merge", "--abort")
    assert not repository_of(str(repository / "a.py")).merging


def test_a_merge_in_one_worktree_is_no_merge_in_another(repository: Path, tmp_path: Path) -> None:
    worktree = add_worktree(repository, tmp_path / "worktree", "feature")
    begin_conflicting_merge(worktree)
    assert repository_of(str(worktree)).merging
    assert not repository_of(str(repository)).merging


def test_a_branch_during_a_rebase_counts_as_detached_as_git_has_it(repository: Path) -> None:
    commit_file(repository / "a.txt", "one\n")
    git(repository, "switch", "--quiet", "--create", "other", "HEAD~")
    commit_file(repository / "a.txt", "two\n")
    git(repository, "rebase", "--quiet", "main", fails=True)
    assert repository_of(str(repository)).branch == ""


def test_a_worktree_has_its_own_branch_and_the_common_folder(repository: Path, tmp_path: Path) -> None:
    worktree = add_worktree(repository, tmp_path / "worktree", "feature/x")
    assert repository_of(str(worktree / "a.py")) == Repository(str(worktree), "a.py", "feature/x", has_commits=True)
    checkout = find_checkout(str(worktree))
    assert checkout is not None
    assert checkout.common_dir == str(repository / ".git")
    assert checkout.git_dir == str(repository / ".git/worktrees/worktree")


def test_a_worktree_inside_the_main_one_is_found_first(repository: Path) -> None:
    worktree = add_worktree(repository, repository / ".worktrees/inner", "feature")
    found = repository_of(str(worktree / "src/a.py"))
    assert (found.root, found.branch, found.relative) == (str(worktree), "feature", "src/a.py")


def test_a_worktree_with_a_packed_branch_has_commits(repository: Path, tmp_path: Path) -> None:
    worktree = add_worktree(repository, tmp_path / "worktree", "feature")
    git(repository, "pack-refs", "--all")
    assert repository_of(str(worktree)).has_commits


def test_a_worktree_of_a_bare_repository_is_found(repository: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", "--bare", str(repository), "bare.git")
    worktree = tmp_path / "worktree"
    git(tmp_path / "bare.git", "worktree", "add", "--quiet", str(worktree), "main")
    found = repository_of(str(worktree / "a.py"))
    assert (found.root, found.branch, found.has_commits) == (str(worktree), "main", True)
    checkout = find_checkout(str(worktree))
    assert checkout is not None
    assert checkout.common_dir == str(tmp_path / "bare.git")


def test_inside_a_bare_repository_there_is_no_working_tree(tmp_path: Path) -> None:
    bare = make_repository(tmp_path / "bare.git", bare=True)
    assert repository_of(str(bare / "hooks/x.py")) == Repository()


@pytest.fixture
def superproject(tmp_path: Path) -> Path:
    inner = make_repository(tmp_path / "inner", "develop")
    commit_file(inner / "a.txt", "a")
    outer = make_repository(tmp_path / "outer")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner), "libs/inner")
    return outer


def test_a_submodule_is_a_repository_of_its_own(superproject: Path) -> None:
    submodule = superproject / "libs/inner"
    assert (submodule / ".git").is_file()
    found = repository_of(str(submodule / "src/a.py"))
    assert (found.root, found.relative, found.branch) == (str(submodule), "src/a.py", "develop")
    checkout = find_checkout(str(submodule))
    assert checkout is not None
    assert checkout.git_dir == checkout.common_dir == str(superproject / ".git/modules/libs/inner")


def test_beside_a_submodule_the_superproject_counts(superproject: Path) -> None:
    assert repository_of(str(superproject / "libs/other.py")).branch == "main"


def test_a_git_folder_elsewhere_is_followed(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "--initial-branch=main", f"--separate-git-dir={tmp_path / 'elsewhere'}", "tree")
    git(tmp_path / "tree", "commit", "--quiet", "--allow-empty", "--message=first")
    found = repository_of(str(tmp_path / "tree/a.py"))
    assert (found.root, found.branch, found.has_commits) == (str(tmp_path / "tree"), "main", True)


def test_a_relative_git_file_is_followed_from_where_it_lies(repository: Path, tmp_path: Path) -> None:
    linked = tmp_path / "deep/linked"
    linked.mkdir(parents=True)
    (linked / ".git").write_text("gitdir: ../../repository/.git\n")
    assert repository_of(str(linked / "a.py")).branch == "main"


def empty_folder(path: Path) -> None:
    path.mkdir()


def text_file(path: Path) -> None:
    path.write_text("not a git file")


def empty_file(path: Path) -> None:
    path.touch()


def binary_file(path: Path) -> None:
    path.write_bytes(bytes(range(256)))


def link_to_nowhere(path: Path) -> None:
    path.symlink_to("/nonexistent")


NO_REPOSITORIES = [empty_folder, text_file, empty_file, binary_file, link_to_nowhere]


@pytest.mark.parametrize("make", NO_REPOSITORIES, ids=lambda make: make.__name__.replace("_", " "))
def test_what_is_only_named_dot_git_is_no_repository(repository: Path, make: Callable[[Path], None]) -> None:
    inner = repository / "inner"
    inner.mkdir()
    make(inner / ".git")
    assert repository_of(str(inner / "a.py")).root == str(repository)


def test_a_git_folder_with_a_lost_git_dir_is_answered(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("gitdir: /nonexistent/folder\n")
    found = repository_of(str(tmp_path / "a.py"))
    assert (found.branch, found.merging) == ("", False)


def test_outside_of_any_repository_nothing_is_known(tmp_path: Path) -> None:
    assert repository_of(str(tmp_path / "a.py")) == Repository()
    assert find_checkout("/") is None


PATHS_IN_A_REPOSITORY = {
    "a.py": "a.py",
    "not/yet/there.py": "not/yet/there.py",
    "src/../a.py": "a.py",
    "src//./a.py": "src/a.py",
    "src/": "src",
    "": ".",
}


@pytest.mark.parametrize(("path", "relative"), PATHS_IN_A_REPOSITORY.items())
def test_a_path_is_told_as_seen_from_the_root(repository: Path, path: str, relative: str) -> None:
    (repository / "src").mkdir()
    assert repository_of(f"{repository}/{path}").relative == relative


def test_links_are_followed_to_where_they_lead(repository: Path, tmp_path: Path) -> None:
    other = make_repository(tmp_path / "other", "develop")
    (other / "src").mkdir()
    (repository / "file.py").symlink_to(other / "src/new.py")
    (repository / "folder").symlink_to(other / "src")
    for path in ("file.py", "folder/new.py", "folder/../src/new.py"):
        found = repository_of(str(repository / path))
        assert (found.branch, found.relative) == ("develop", "src/new.py")


def test_a_circle_of_links_is_answered(repository: Path) -> None:
    (repository / "a.py").symlink_to("b.py")
    (repository / "b.py").symlink_to("a.py")
    assert repository_of(str(repository / "a.py")).branch == "main"


@pytest.mark.parametrize("path", [".git", ".git/config", ".git/hooks/new.sh"])
def test_a_path_inside_the_git_folder_is_known_as_such(repository: Path, path: str) -> None:
    assert repository_of(str(repository / path)).in_git_dir


@pytest.mark.parametrize("path", [".github/a.py", ".gitignore", "src/.gitkeep", "git/a.py"])
def test_a_path_that_only_resembles_the_git_folder_is_not_inside_it(repository: Path, path: str) -> None:
    assert not repository_of(str(repository / path)).in_git_dir


def test_the_git_file_of_a_worktree_counts_as_inside(repository: Path, tmp_path: Path) -> None:
    worktree = add_worktree(repository, tmp_path / "worktree", "feature")
    assert repository_of(str(worktree / ".git")).in_git_dir


def test_a_head_that_is_a_link_is_read_as_its_branch(repository: Path) -> None:
    # as old versions made it, and as core.preferSymlinkRefs still does
    head = repository / ".git/HEAD"
    head.unlink()
    head.symlink_to("refs/heads/main")
    assert git(repository, "symbolic-ref", "--short", "HEAD").strip() == "main"
    assert repository_of(str(repository)).branch == "main"


@pytest.mark.parametrize("path", ["/nul\0byte", "/lone\ud800surrogate", "nul\0"])
def test_a_path_that_no_file_can_have_is_a_value_error(path: str) -> None:
    with pytest.raises(ValueError):
        repository_of(path)


def test_a_clean_tree_has_nothing_to_count(repository: Path) -> None:
    assert working_tree_of(str(repository)) == WorkingTree(0, 0)


def test_outside_of_git_there_is_nothing_to_count(tmp_path: Path) -> None:
    assert working_tree_of(str(tmp_path)) == WorkingTree(0, 0)


@pytest.mark.parametrize("operation", ["cherry-pick", "revert", "merge"])
def test_an_operation_that_stopped_at_a_conflict_is_in_progress(tmp_path: Path, operation: str) -> None:
    repository = make_repository(tmp_path / "repository")
    for text in ("one\n", "two\n", "three\n"):
        commit_file(repository / "a.txt", text)
    git(repository, "switch", "--quiet", "--create", "side", "HEAD~2")
    commit_file(repository / "a.txt", "aside\n")
    assert not repository_of(str(repository / "a.txt")).merging
    git(repository, operation, "main", fails=True)
    assert repository_of(str(repository / "a.txt")).merging
