"""masked-test-run: the result of tests that is thrown away is told of."""

from __future__ import annotations

import pytest

from holdfast.core.verdict import NOTE, NOTHING

from .tables import Row, both_ways, check, line, rows

ID = "masked-test-run"
TABLE = [
    line(NOTE, "pytest || true", "cannot be seen"),
    line(NOTE, "pytest | tail -5", "set -o pipefail; pytest | tail -5"),
    line(NOTE, "pytest; echo done"),
    line(NOTE, "npm test &"),
    line(NOTE, "! pytest"),
    line(NOTE, "cargo test || echo failed"),
    line(NOTE, "out=$(pytest)"),
    line(NOTHING, "pytest"),
    line(NOTHING, "set -o pipefail; pytest | tail -5"),
    line(NOTHING, "pytest && echo ok"),
    line(NOTHING, "pytest || exit 1"),
    line(NOTHING, "set -e; pytest; echo done"),
    line(NOTHING, "ls || true"),
    line(NOTHING, "pytest --collect-only | head"),
    line(NOTHING, "echo 'pytest || true'"),
]


@pytest.mark.parametrize("row", rows(TABLE))
def test_masked_test_run(row: Row) -> None:
    check(ID, row)


def test_the_table_goes_both_ways() -> None:
    assert both_ways(TABLE)
