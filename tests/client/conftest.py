"""Fixtures for tests that run the real client."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from .claude_client import find_or_install

REQUIRE_VARIABLE = "HOLDFAST_REQUIRE_CLIENT"


@pytest.fixture(scope="session")
def claude() -> Path:
    """The client's binary; without it the test is skipped, or fails where it is required."""
    binary, reason = find_or_install()
    if binary is not None:
        return binary
    if os.environ.get(REQUIRE_VARIABLE) == "1":
        pytest.fail(f"{REQUIRE_VARIABLE}=1, but there is no client: {reason}")
    pytest.skip(f"no client: {reason}")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say loudly that the client's tests did not run: a green run without them proves much less."""
    skipped = [report for report in terminalreporter.stats.get("skipped", []) if "no client:" in str(report.longrepr)]
    if skipped:
        terminalreporter.section("THE REAL CLIENT WAS NOT TESTED", sep="!", red=True, bold=True)
        reason = str(skipped[0].longrepr[2]) if isinstance(skipped[0].longrepr, tuple) else str(skipped[0].longrepr)
        terminalreporter.line(f"{len(skipped)} tests were skipped: {reason}")
        terminalreporter.line("They need Node with npm, and the npm registry; see CONTRIBUTING.md.")
