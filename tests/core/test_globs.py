"""Path patterns, in the manner of .gitignore."""

from __future__ import annotations

from fnmatch import fnmatchcase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.globs import matches, matches_name, selects

MATCHES: list[tuple[str, str, bool]] = [
    # a name, at any depth
    ("app.py", "app.py", True),
    ("app.py", "src/app.py", True),
    ("app.py", "src/app.pyc", False),
    ("app.py", "src/myapp.py", False),
    ("*.py", "a/b/c.py", True),
    ("*.py", "a.py/c.txt", False),
    ("?.py", "a.py", True),
    ("?.py", "ab.py", False),
    ("*", "anything/at/all", True),
    ("**", "anything/at/all", True),
    ("App.py", "app.py", False),
    (".*", ".env", True),
    ("*", ".env", True),
    # a folder, at any depth
    ("build/", "build/a.js", True),
    ("build/", "src/build/deep/a.js", True),
    ("build/", "src/builder/a.js", False),
    ("build/", "scripts/build", False),
    # from the project's folder
    ("src/*.py", "src/a.py", True),
    ("src/*.py", "src/deep/a.py", False),
    ("src/*.py", "lib/src/a.py", False),
    ("/app.py", "app.py", True),
    ("/app.py", "src/app.py", False),
    ("src/app.py", "src/app.py", True),
    ("src/", "src/deep/app.py", True),
    ("src/lib/", "src/lib/a.py", True),
    ("src/lib/", "other/src/lib/a.py", False),
    # any number of folders
    ("src/**", "src/a.py", True),
    ("src/**", "src/a/b/c.py", True),
    ("src/**", "srcs/a.py", False),
    ("**/a.py", "a.py", True),
    ("**/a.py", "x/y/a.py", True),
    ("**/a.py", "x/y/ba.py", False),
    ("src/**/test_*.py", "src/test_a.py", True),
    ("src/**/test_*.py", "src/a/b/test_a.py", True),
    ("src/**/test_*.py", "src/a/b/a_test.py", False),
    ("**/gen/**", "a/gen/b/c.py", True),
    ("**/gen/**", "a/generated/b/c.py", False),
    ("a/**/b/**/c", "a/x/b/y/z/c", True),
    ("a/**/b/**/c", "a/x/y/z/c", False),
    # odd input
    ("", "a.py", False),
    ("*.py", "", False),
    ("src/**", "/src/a.py", True),
    ("[ab].py", "a.py", False),
    ("[ab].py", "[ab].py", True),
    ("a+b.py", "aab.py", False),
]

SELECTS: list[tuple[str, tuple[str, ...], str, bool]] = [
    ("nothing is said: all", (), "a.py", True),
    ("one that matches", ("src/**",), "src/a.py", True),
    ("one that does not", ("src/**",), "lib/a.py", False),
    ("any of several", ("src/**", "lib/**"), "lib/a.py", True),
    ("only taken out: the rest stays", ("!docs/**",), "src/a.py", True),
    ("only taken out: gone", ("!docs/**",), "docs/a.py", False),
    ("taken out of what was chosen", ("src/**", "!src/gen/**"), "src/gen/a.py", False),
    ("the last that matches decides", ("src/**", "!src/gen/**", "src/gen/kept.py"), "src/gen/kept.py", True),
    ("an exception before its rule has no effect", ("!src/gen/**", "src/**"), "src/gen/a.py", True),
]


@pytest.mark.parametrize(("pattern", "path", "expected"), MATCHES)
def test_a_pattern_matches(pattern: str, path: str, expected: bool) -> None:
    assert matches(pattern, path) is expected


@pytest.mark.parametrize(("patterns", "path", "expected"), [pytest.param(*row[1:], id=row[0]) for row in SELECTS])
def test_patterns_select(patterns: tuple[str, ...], path: str, expected: bool) -> None:
    assert selects(patterns, path) is expected


@given(st.text(alphabet="ab*?.", max_size=8), st.text(alphabet="abc.", max_size=8))
def test_within_a_component_patterns_mean_what_they_mean_to_the_shell(pattern: str, name: str) -> None:
    assert matches_name(pattern, name) == fnmatchcase(name, pattern)


PARTS = st.lists(st.sampled_from(["a", "b", "ab"]), min_size=1, max_size=5)
PATTERN_PARTS = st.lists(st.sampled_from(["a", "b", "a*", "?", "*", "**"]), min_size=2, max_size=5)


def _plainly(wanted: list[str], parts: list[str]) -> bool:
    """The definition of a match, tried in every way."""
    if not wanted:
        return not parts
    if wanted[0] == "**":
        return any(_plainly(wanted[1:], parts[at:]) for at in range(len(parts) + 1))
    return bool(parts) and fnmatchcase(parts[0], wanted[0]) and _plainly(wanted[1:], parts[1:])


@given(PATTERN_PARTS, PARTS)
def test_whole_patterns_match_as_their_definition_says(wanted: list[str], parts: list[str]) -> None:
    assert matches("/".join(wanted), "/".join(parts)) == _plainly(wanted, parts)


def test_patterns_made_to_backtrack_are_answered_all_the_same() -> None:
    assert not matches_name("*a" * 200 + "b", "a" * 400)
    assert not matches("/".join(["**", "a"] * 60 + ["b"]), "/".join(["a"] * 120))


@given(st.lists(st.text(alphabet="ab*?/!", max_size=6), max_size=4), st.text(alphabet="ab/", max_size=12))
def test_selecting_never_fails(patterns: list[str], path: str) -> None:
    assert selects(tuple(patterns), path) in (True, False)
