"""Projects that the tests here begin with."""

from tests.support.fixtures import branch_project, project

__all__ = ["branch_project", "project"]
