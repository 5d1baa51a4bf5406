"""What holds for all tests."""

from __future__ import annotations

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say loudly that the client's tests did not run: a green run without them proves much less."""
    skipped = [report for report in terminalreporter.stats.get("skipped", []) if "no client:" in str(report.longrepr)]
    if skipped:
        terminalreporter.section("THE REAL CLIENT WAS NOT TESTED", sep="!", red=True, bold=True)
        reason = str(skipped[0].longrepr[2]) if isinstance(skipped[0].longrepr, tuple) else str(skipped[0].longrepr)
        terminalreporter.line(f"{len(skipped)} tests were skipped: {reason}")
        terminalreporter.line("They need Node with npm, and the npm registry; see CONTRIBUTING.md.")
