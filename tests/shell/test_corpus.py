"""The reader on the whole corpus: nothing unsafe is taken for plainly safe, and nearly everything safe is."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from holdfast.app.reading import reading_of
from holdfast.core.shell.effects import CODE, COMMITS, Reading

from .conftest import CORPUS, rows, shfmt

PINNED = {"allow": 984, "not-allow": 1893, "deny": 349}
"""Rows by label. The corpus grows; whoever changes it changes this with intent."""
COMMITS_PINNED = (217, 133)
"""Rows that make a commit, and rows that only mention one."""


@pytest.fixture(scope="module")
def read() -> list[tuple[dict[str, Any], Reading]]:
    program = shfmt()
    return [(row, reading_of(row["command"], program)) for row in rows()]


def is_plainly_safe(reading: Reading) -> bool:
    return not reading.doubts and not reading.opaque


def test_the_corpus_is_as_large_as_it_was() -> None:
    found = rows()
    assert Counter(row["expect"] for row in found) == PINNED
    assert len({row["command"] for row in found}) == len(found), "no line stands twice"
    mentions = sum(row["file"] == "mentions.jsonl" for row in found)
    assert (sum(row["commit"] for row in found), mentions) == COMMITS_PINNED


def test_the_page_about_the_corpus_counts_right() -> None:
    page = (CORPUS / "README.md").read_text()
    for name in {row["file"] for row in rows()}:
        found = [row for row in rows() if row["file"] == name]
        by_label = Counter(row["expect"] for row in found)
        counts = (len(found), by_label["allow"], by_label["not-allow"], by_label["deny"], sum(row["commit"] for row in found))
        assert f"| `{name}` | {' | '.join(map(str, counts))} |" in page


def test_no_unsafe_line_is_plainly_safe(read: list[tuple[dict[str, Any], Reading]]) -> None:
    wrong = [row["command"] for row, reading in read if row["expect"] != "allow" and is_plainly_safe(reading)]
    assert wrong == []


def test_nearly_every_safe_line_is_plainly_safe(read: list[tuple[dict[str, Any], Reading]]) -> None:
    missed = [
        (row["command"], reading.doubts)
        for row, reading in read
        if row["expect"] == "allow" and not is_plainly_safe(reading)
    ]
    assert len(missed) <= 5, missed


def test_every_commit_is_seen_or_not_understood(read: list[tuple[dict[str, Any], Reading]]) -> None:
    missed = [
        row["command"] for row, reading in read if row["commit"] and not reading.of(COMMITS, CODE) and not reading.opaque
    ]
    assert missed == []


def test_most_commits_are_seen_as_such(read: list[tuple[dict[str, Any], Reading]]) -> None:
    seen = sum(bool(reading.of(COMMITS)) for row, reading in read if row["commit"])
    assert seen >= 190


def test_no_mention_is_taken_for_a_commit(read: list[tuple[dict[str, Any], Reading]]) -> None:
    assert [row["command"] for row, reading in read if not row["commit"] and reading.of(COMMITS)] == []
