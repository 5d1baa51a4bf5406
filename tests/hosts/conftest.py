"""Properties are tried here as in the tests of the core."""

from __future__ import annotations

from ..core import conftest as _profiles  # noqa: F401
