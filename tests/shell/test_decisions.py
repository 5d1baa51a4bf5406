"""What the policies make of the corpus, under strict: the harmful is refused, the safe approved, mentions pass."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.support.repositories import make_repository

from .conftest import rows


@pytest.fixture(scope="module")
def decisions(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[dict[str, object], dict[str, object]]]:
    """Every row of the corpus with what `holdfast classify` says, in a project on a branch."""
    folder: Path = tmp_path_factory.mktemp("corpus")
    project = make_repository(folder / "project", "feature")
    (project / "holdfast.toml").write_text('profile = "strict"\n')
    found = rows()
    given = "".join(json.dumps({"command": row["command"]}) + "\n" for row in found)
    environment = {**os.environ, "HOME": str(folder)}
    command = [sys.executable, "-m", "holdfast", "classify"]
    done = subprocess.run(command, cwd=project, env=environment, input=given, capture_output=True, text=True, check=True)
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["command"] for one in said] == [row["command"] for row in found]
    return list(zip(found, said, strict=True))


def test_what_must_be_refused_is_refused(decisions: list[tuple[dict[str, object], dict[str, object]]]) -> None:
    missed = [row["command"] for row, said in decisions if row["expect"] == "deny" and said["decision"] != "deny"]
    assert len(missed) <= 1, missed


def test_nothing_safe_is_refused_or_asked_about(decisions: list[tuple[dict[str, object], dict[str, object]]]) -> None:
    wrong = [row["command"] for row, said in decisions if row["expect"] == "allow" and said["decision"] in ("deny", "ask")]
    assert wrong == []


def test_nothing_unsafe_is_approved(decisions: list[tuple[dict[str, object], dict[str, object]]]) -> None:
    assert [row["command"] for row, said in decisions if row["expect"] != "allow" and said["decision"] == "allow"] == []


def test_nearly_everything_safe_is_approved(decisions: list[tuple[dict[str, object], dict[str, object]]]) -> None:
    count = Counter(str(said["decision"]) for row, said in decisions if row["expect"] == "allow")
    assert count["allow"] >= 0.95 * sum(count.values())


def test_mere_mentions_are_never_refused(decisions: list[tuple[dict[str, object], dict[str, object]]]) -> None:
    refused = [row["command"] for row, said in decisions if row["file"] == "mentions.jsonl" and said["decision"] == "deny"]
    assert refused == []
