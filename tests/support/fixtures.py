"""Projects that tests begin with."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.hook_process import Project
from tests.support.repositories import git, make_repository

STRICT = 'profile = "strict"\n'


def make_project(base: Path, folder_name: str = "project", config: str = STRICT) -> Project:
    """Make a repository on main with one commit and this configuration, and a home of its own."""
    home = base / "home"
    home.mkdir(parents=True)
    folder = make_repository(base / folder_name)
    if config:
        (folder / "holdfast.toml").write_text(config)
    return Project(folder, home)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A strict project with main checked out: source edits are refused."""
    return make_project(tmp_path)


@pytest.fixture
def branch_project(project: Project) -> Project:
    """A strict project with another branch checked out: nothing is refused."""
    git(project.folder, "switch", "--quiet", "--create", "feature")
    return project
