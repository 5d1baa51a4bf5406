"""Whatever it is given, the reader answers: no crash, nothing plainly safe by accident, and in time."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.adapters.shell_parser import syntax_of
from holdfast.app.reading import reading_of
from holdfast.core.shell.effects import OPAQUE
from holdfast.core.shell.reader import read_command

from .conftest import rows, shfmt

PROGRAM = shfmt()
LINES = [row["command"] for row in rows()]
SAFE = [row["command"] for row in rows() if row["expect"] == "allow"]
UNSAFE = [
    row["command"] for row in rows() if row["expect"] == "deny" and "\n" not in row["command"] and "'" not in row["command"]
]


@pytest.mark.parametrize(
    "command",
    [
        "echo 'open",
        'echo "open',
        "if true; then",
        "$(",
        "((((",
        "`",
        "a\0b",
        "x" * 200_000,
        "$(" * 500 + ")" * 500,
        "case",
        ")",
        "<<",
        "\udcff",
    ],
    ids=lambda text: repr(text[:12]),
)
def test_what_cannot_be_parsed_is_opaque(command: str) -> None:
    reading = reading_of(command, PROGRAM)
    assert reading.opaque
    assert reading.doubts


@pytest.mark.parametrize("program", ["", "/nonexistent/shfmt", "/bin/false", "/bin/true", "/bin/echo"])
def test_a_parser_that_is_missing_or_fails_leaves_everything_opaque(program: str) -> None:
    reading = reading_of("ls", program)
    assert reading.opaque
    assert reading.doubts


def test_an_empty_command_does_nothing() -> None:
    assert reading_of("", PROGRAM).effects == ()
    assert reading_of("# only a comment", PROGRAM).effects == ()


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=60) | st.text(alphabet="ab $(){}[];|&<>\"'`\\\n#*?!~=-/", max_size=60))
def test_any_text_is_read(text: str) -> None:
    reading_of(text, PROGRAM)


JSON = st.recursive(st.none() | st.booleans() | st.text(max_size=8), lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
    st.sampled_from(["Type", "Stmts", "Cmd", "Args", "Parts", "Value", "Op", "X", "Y", "Word", "Redirs", "Name", "Body"]), inner, max_size=4), max_leaves=12)  # fmt: skip


@settings(max_examples=200)
@given(st.sampled_from(["Block", "CallExpr", "Subshell", "NoSuchClause", "TestDecl", "CoprocClause"]), JSON)
def test_syntax_of_an_unknown_type_is_opaque(kind: str, inner: object) -> None:
    tree = {
        "Type": "File",
        "Stmts": [{"Cmd": {"Type": "NoSuchClause" if kind != "CallExpr" else "CoprocClause", "Stmts": inner}}],
    }
    reading = read_command({"x": tree}, "x")
    assert any(effect.kind == OPAQUE for effect in reading.effects)


@settings(max_examples=120, deadline=None)
@given(
    st.sampled_from(UNSAFE),
    st.sampled_from(SAFE),
    st.sampled_from(["{0}; {1}", "{1} && {0}", "{1}\n{0}", "({0})", "{{ {0}; }}", "if {1}; then {0}; fi"]),
)
def test_nothing_safe_beside_it_makes_an_unsafe_command_safe(unsafe: str, safe: str, form: str) -> None:
    command = form.format(unsafe, safe)
    reading = reading_of(command, PROGRAM)
    assert reading.doubts or reading.opaque


def _mutated(chance: random.Random) -> str:
    text = chance.choice(LINES)
    for _ in range(chance.randint(1, 4)):
        at = chance.randint(0, len(text))
        kind = chance.randint(0, 4)
        if kind == 0:
            text = text[:at] + chance.choice("\"'`$(){}[];|&<>\\ \n#*?!~=") + text[at:]
        elif kind == 1:
            text = text[:at] + text[at + chance.randint(1, 3) :]
        elif kind == 2:
            text = text[:at] + chance.choice(LINES) + text[at:]
        elif kind == 3:
            text += chance.choice([" && ", "; ", " | ", " || ", "\n"]) + chance.choice(LINES)
        else:
            text = (text[:200] + "; ") * chance.randint(2, 40)
    return text[:10_000]


def test_a_field_that_is_not_known_makes_a_command_opaque() -> None:
    tree = syntax_of(PROGRAM, "ls; { ls; }")
    assert tree is not None
    assert not read_command({"x": tree}, "x").opaque
    for number in (0, 1):
        tree = syntax_of(PROGRAM, "ls; { ls; }")
        assert tree is not None
        tree["Stmts"][number]["Cmd"]["Surprise"] = [{"Cmd": {"Type": "CallExpr"}}]
        assert read_command({"x": tree}, "x").opaque


def test_mutations_of_the_corpus_are_read_in_time() -> None:
    chance = random.Random(20_261_115)
    slowest = 0.0
    for _ in range(600):
        command = _mutated(chance)
        tree = syntax_of(PROGRAM, command)
        began = time.process_time()
        read_command({command: tree}, command)
        slowest = max(slowest, time.process_time() - began)
    assert slowest < 0.05
