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
