"""JSON in and out: the same as the `json` package, and never another error than NotJson."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import holdfast
from holdfast.core.jsontext import NotJson, as_dict, as_list, as_text, encode, first_text, parse, quoted

from .strategies import JSON_VALUES

PARSED: list[tuple[str, object]] = [
    ("{}", {}),
    ("[]", []),
    ('""', ""),
    ("0", 0),
    ("-0", 0),
    ("1.5e3", 1500.0),
    ("null", None),
    ("true", True),
    ("false", False),
    (' \t\r\n{"a": [1, {"b": null}]} \r\n', {"a": [1, {"b": None}]}),
    ("\ufeff{}", {}),
    ("{}\n\0\0", {}),
    ('"\\ud83d\\ude00"', "😀"),
    ('"\\ud800"', "\ud800"),
    ('"\ud800"', "\ud800"),
    ('{"a": 1, "a": 2}', {"a": 2}),
    ('"a\tb\nc"', "a\tb\nc"),
    ("9" * 400, int("9" * 400)),
]

NOT_JSON: list[tuple[str, str]] = [
    ("nothing", ""),
    ("white space", " \n\t "),
    ("a bare word", "hello"),
    ("an unfinished object", '{"a": 1'),
    ("an unfinished text", '"abc'),
    ("an unfinished list", "[1, 2"),
    ("a comma too many", "[1,]"),
    ("a comma too many in an object", '{"a": 1,}'),
    ("single quotes", "{'a': 1}"),
    ("a key that is no text", "{1: 2}"),
    ("a second document", "{} {}"),
    ("text after the document", '{"a": 1} trailing'),
    ("text before the document", 'debug: {"a": 1}'),
    ("a comment", "{} // yes"),
    ("a bad escape", '"\\q"'),
    ("half an escape", '"\\u12"'),
    ("a number with a leading zero", "012"),
    ("a lone minus", "-"),
    ("a lone dot", "."),
    ("a number that Python refuses to convert", "9" * 100_000),
    ("a NUL before the document", "\0{}"),
    ("a no-break space before the document", "\xa0{}"),
    ("lists without end", "[" * 100_000),
    ("objects without end", '{"a":' * 100_000),
    ("lists and objects without end", '[{"a":' * 50_000),
    ("deep nesting that is closed again", "[" * 100_000 + "]" * 100_000),
]

JSON_LIKE = st.text(alphabet='[]{}",:.0123456789eE+-truefalsnNI\\uiy \n\t\ud800\xe9\ufeff\0', max_size=60)


@pytest.mark.parametrize(("text", "value"), PARSED, ids=[ascii(text[:30]) for text, _ in PARSED])
def test_a_document_is_parsed(text: str, value: object) -> None:
    parsed = parse(text)
    assert parsed == value
    assert type(parsed) is type(value)


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in NOT_JSON])
def test_what_is_not_one_document_is_not_json(text: str) -> None:
    with pytest.raises(NotJson):
        parse(text)


WITHOUT_THE_PACKAGE = """
import sys
sys.path.append(sys.argv[1])
from holdfast.core.jsontext import NotJson, encode, parse
assert parse(encode({"a": [1, None, "é"]})) == {"a": [1, None, "é"]}
for text in eval(sys.stdin.read()):
    try:
        parse(text)
    except NotJson:
        pass
    else:
        raise SystemExit(f"taken for JSON: {text[:40]!r}")
# newer interpreters import the package themselves, for the error that they raise
if sys.version_info < (3, 12):
    assert not {"json", "re", "typing"} & set(sys.modules), "a slow package was imported"
"""


def test_the_same_holds_where_the_json_package_was_never_imported() -> None:
    """The scanner raises errors of that package, and so must not be trusted to find it loaded, as it is here."""
    texts = [text for _, text in NOT_JSON if len(text) < 1_000] + ["[" * 5_000, '{"a":' * 5_000, "9" * 5_000]
    folder = Path(holdfast.__file__).resolve().parents[1]
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", WITHOUT_THE_PACKAGE, str(folder)],
        input=ascii(texts), capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


def test_python_s_own_constants_are_read_as_the_json_package_reads_them() -> None:
    assert math.isnan(parse("NaN"))
    assert parse("[Infinity, -Infinity, 1e999]") == [math.inf, -math.inf, math.inf]


def test_the_error_says_nothing_of_the_text() -> None:
    with pytest.raises(NotJson) as caught:
        parse('{"password": "hunter2" oops')
    assert "hunter2" not in str(caught.value)


@given(JSON_VALUES)
def test_what_was_encoded_is_parsed_back(value: object) -> None:
    assert parse(encode(value)) == value


@given(JSON_VALUES)
def test_the_encoding_is_one_line_of_ascii_that_the_json_package_reads_too(value: object) -> None:
    text = encode(value)
    assert text.isascii()
    assert "\n" not in text
    assert json.loads(text) == value


@given(JSON_VALUES, st.sampled_from([None, 2]), st.booleans())
def test_valid_documents_are_read_as_the_json_package_reads_them(value: object, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    assert parse(text) == json.loads(text) == value


@given(st.text(alphabet=st.characters(), max_size=80) | JSON_LIKE)
@example("\ufeff \ufeff1")
@example('{"a":1}\0')
@example("nul")
@example("-I")
def test_any_text_is_read_as_the_json_package_reads_it_or_is_not_json(text: str) -> None:
    # a byte order mark in front and NULs at the end are what hosts and shells add; the package has no word for them
    core = text.lstrip(" \t\r\n\ufeff").rstrip(" \t\r\n\0")
    try:
        expected = json.loads(core, strict=False)
    except (ValueError, RecursionError):
        with pytest.raises(NotJson):
            parse(text)
    else:
        assert repr(parse(text)) == repr(expected)


ENCODED: list[tuple[str, object, str]] = [
    ("not a number is null", math.nan, "null"),
    ("infinity is null", [math.inf, -math.inf], "[null,null]"),
    ("a tuple is a list", (1, (2,)), "[1,[2]]"),
    ("a key that is no text becomes one", {1: None}, '{"1":null}'),
    ("True is not 1", [True, 1, False, 0], "[true,1,false,0]"),
    ("what JSON cannot say becomes its text", {"set": frozenset()}, '{"set":"frozenset()"}'),
    ("control characters are escaped", "\0\n\x7f\u2028", '"\\u0000\\n\\u007f\\u2028"'),
    ("a lone surrogate is escaped", "\ud800", '"\\ud800"'),
]


@pytest.mark.parametrize(("value", "text"), [pytest.param(*row[1:], id=row[0]) for row in ENCODED])
def test_a_value_is_encoded(value: object, text: str) -> None:
    assert encode(value) == text


def test_quoted_text_is_a_json_string() -> None:
    assert json.loads(quoted('a "b" \\ é')) == 'a "b" \\ é'


NOT_AN_OBJECT: list[object] = [None, 1, 1.5, "text", True, [], [1], ["a"]]


@pytest.mark.parametrize("value", NOT_AN_OBJECT)
def test_what_has_another_type_counts_as_empty(value: object) -> None:
    assert as_dict(value) == {}
    assert as_list(value) == (value if isinstance(value, list) else [])
    assert as_text(value) == (value if isinstance(value, str) else "")


def test_what_has_the_type_is_returned_itself() -> None:
    mapping, items = {"a": 1}, [1]
    assert as_dict(mapping) is mapping
    assert as_list(items) is items
    assert as_list(mapping) == []
    assert as_text(mapping) == ""


def test_the_first_key_with_text_in_it_counts() -> None:
    mapping = {"a": 1, "b": "", "c": None, "d": "found", "e": "later"}
    assert first_text(mapping, "missing", "a", "b", "c", "d", "e") == "found"
    assert first_text(mapping, "a", "b") == ""
    assert first_text(mapping) == ""
