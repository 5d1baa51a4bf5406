"""Git, as its files tell; the program itself is started only where the files cannot answer.

Starting git costs as much as a third of a whole hook, and reading HEAD costs nothing.
"""

from __future__ import annotations

from holdfast.adapters.files import exists, is_file, is_folder, joined, parent, resolved
from holdfast.core.facts import Repository, WorkingTree
from holdfast.core.paths import inside
from holdfast.core.paths import relative as relative_to
from holdfast.core.record import Record

_IN_PROGRESS = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-apply", "rebase-merge")
STATUS_SECONDS = 3.0
"""How long `git status` may take at session start."""


class Checkout(Record):
    """A working tree and its git folders."""

    root: str
    git_dir: str
    common_dir: str
    """The folder that all worktrees of the repository share."""


def find_checkout(path: str) -> Checkout | None:
    """Return the working tree that holds a path, which need not exist. The path must be absolute and resolved."""
    folder = path
    while True:
        marker = f"{folder.rstrip('/')}/.git"
        git_dir = _git_dir(marker)
        if git_dir:
            return Checkout(folder, git_dir, _common_dir(git_dir))
        above = parent(folder)
        if above == folder:
            return None
        folder = above


def _git_dir(marker: str) -> str:
    try:
        if is_folder(marker):
            # an empty .git folder is no repository
            return marker if exists(f"{marker}/HEAD") else ""
        with open(marker, encoding="utf-8", errors="replace") as file:
            text = file.read(4096)
    except OSError:
        return ""
    if not text.startswith("gitdir:"):
        return ""
    return joined(parent(marker), text[7:].strip())


def _common_dir(git_dir: str) -> str:
    text = _read(f"{git_dir}/commondir")
    return joined(git_dir, text.strip()) if text else git_dir


def _read(path: str, most: int = 4096) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(most)
    except OSError:
        return ""


def repository_of(path: str) -> Repository:
    """Return what the repository of a path is and stands at."""
    real = resolved(path)
    checkout = find_checkout(real)
    if checkout is None:
        return Repository()
    relative = relative_to(real, checkout.root) if real != checkout.root else "."
    head = _head(checkout.git_dir)
    branch = head[len("ref: refs/heads/") :] if head.startswith("ref: refs/heads/") else ""
    if branch == ".invalid":  # the reftable format: only git itself can tell
        branch, has_commits = _ask_git(checkout.root)
    else:
        has_commits = not branch or _has_ref(checkout.common_dir, f"refs/heads/{branch}")
    return Repository(
        root=checkout.root,
        relative=relative,
        branch=branch,
        has_commits=has_commits,
        merging=any(exists(f"{checkout.git_dir}/{name}") for name in _IN_PROGRESS),
        in_git_dir=relative == ".git" or inside(real, checkout.git_dir) or inside(real, checkout.common_dir),
    )


def _head(git_dir: str) -> str:
    text = _read(f"{git_dir}/HEAD").strip()
    if text.startswith("ref:"):
        return text
    import os

    # very old repositories have a link instead
    return f"ref: {os.readlink(f'{git_dir}/HEAD')}" if os.path.islink(f"{git_dir}/HEAD") else text


def _has_ref(common_dir: str, ref: str) -> bool:
    if is_file(f"{common_dir}/{ref}"):
        return True
    try:
        with open(f"{common_dir}/packed-refs", "rb") as file:
            return f" {ref}\n".encode() in file.read()
    except OSError:
        return False


def _ask_git(root: str) -> tuple[str, bool]:
    from holdfast.adapters.process import output_of

    branch = output_of(["git", "symbolic-ref", "--short", "-q", "HEAD"], root, STATUS_SECONDS)
    commit = output_of(["git", "rev-parse", "-q", "--verify", "HEAD"], root, STATUS_SECONDS)
    return (branch or "").strip(), bool((commit or "").strip())


def working_tree_of(path: str) -> WorkingTree:
    """Count uncommitted files; -1 when git did not answer."""
    from holdfast.adapters.process import output_of

    checkout = find_checkout(resolved(path))
    if checkout is None:
        return WorkingTree()
    # no optional locks: a person may be using git in the same folder
    command = ["git", "--no-optional-locks", "status", "--porcelain", "-z", "--untracked-files=normal"]
    text = output_of(command, checkout.root, STATUS_SECONDS)
    if text is None:
        return WorkingTree(-1, -1)
    entries = _status_entries(text)
    return WorkingTree(len(entries), sum(entry.startswith("??") for entry in entries))


def _status_entries(text: str) -> list[str]:
    """Return the entries of `git status -z`; a rename has its old name as an extra field."""
    entries, fields = [], iter(text.split("\0"))
    for field in fields:
        if not field:
            continue
        entries.append(field)
        if "R" in field[:2] or "C" in field[:2]:
            next(fields, None)
    return entries
