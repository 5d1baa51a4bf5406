"""Real git repositories, made by git itself and untouched by the machine's own configuration."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

_VARIABLES = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "A Tester",
    "GIT_AUTHOR_EMAIL": "tester@example.org",
    "GIT_COMMITTER_NAME": "A Tester",
    "GIT_COMMITTER_EMAIL": "tester@example.org",
}


def git(folder: Path, *arguments: str, fails: bool = False) -> str:
    """Run git in a folder and return what it prints; `fails` for a command that must not succeed."""
    outer = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    done = subprocess.run(["git", *arguments], cwd=folder, env={**outer, **_VARIABLES}, capture_output=True, check=False)
    assert (done.returncode != 0) == fails, done.stdout + done.stderr
    return done.stdout.decode()


def make_repository(folder: Path, branch: str = "main", *, commit: bool = True, bare: bool = False) -> Path:
    """Make a repository, by default with one commit, and return its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "--quiet", f"--initial-branch={branch}", *(["--bare"] if bare else []))
    if commit and not bare:
        git(folder, "commit", "--quiet", "--allow-empty", "--message=first")
    return folder


def add_worktree(repository: Path, folder: Path, branch: str) -> Path:
    git(repository, "worktree", "add", "--quiet", "-b", branch, str(folder))
    return folder


def begin_conflicting_merge(repository: Path) -> None:
    """Leave a merge half done in a repository: both sides wrote the same file."""
    conflicted = repository / "conflicted.txt"
    home = git(repository, "symbolic-ref", "--short", "HEAD").strip()
    git(repository, "switch", "--quiet", "--create", "other-side")
    commit_file(conflicted, "theirs\n")
    git(repository, "switch", "--quiet", home)
    commit_file(conflicted, "ours\n")
    git(repository, "merge", "--quiet", "other-side", fails=True)


def commit_file(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    git(path.parent, "add", path.name)
    git(path.parent, "commit", "--quiet", "--message", f"write {path.name}")
