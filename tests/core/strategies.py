"""Hypothesis strategies that several tests share: JSON values, statements, outcomes."""

from __future__ import annotations

from hypothesis import strategies as st

from holdfast.core.verdict import AGENT, PERSON, STRENGTH, Outcome, Statement, outcome

_SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=40)
)

JSON_VALUES: st.SearchStrategy[object] = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=12), inner, max_size=5),
    max_leaves=25,
)

DECISIONS = sorted(STRENGTH)

STATEMENTS: st.SearchStrategy[Statement] = st.builds(
    Statement,
    policy=st.sampled_from(["", "alpha", "beta", "gamma"]),
    decision=st.sampled_from(DECISIONS),
    reason=st.sampled_from(["one", "two"]) | st.text(max_size=20),
    remedy=st.sampled_from(["", "run it"]),
    slug=st.sampled_from(["", "slug-a", "slug-b"]),
    audience=st.sampled_from([AGENT, PERSON]),
)

OUTCOMES: st.SearchStrategy[Outcome] = st.lists(STATEMENTS, max_size=6).map(outcome)
