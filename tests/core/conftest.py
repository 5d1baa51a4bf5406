"""How properties are tried: the same examples every time, and a wider search on demand.

`HOLDFAST_HYPOTHESIS=searching pytest tests/core tests/hosts` tries new and many more examples.
"""

from __future__ import annotations

import os

from hypothesis import settings

# No deadline: a loaded machine is slow, which proves nothing about the code.
settings.register_profile("steady", deadline=None, derandomize=True, database=None)
settings.register_profile("searching", deadline=None, max_examples=3_000)
settings.load_profile(os.environ.get("HOLDFAST_HYPOTHESIS", "steady"))
