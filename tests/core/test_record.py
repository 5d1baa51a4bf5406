"""Records: values that behave like frozen dataclasses and cost next to nothing."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.core.record import Record


class Point(Record):
    x: Any
    y: Any = 0


class Named(Point):
    name: str = "origin"


class Renamed(Named):
    """Nothing but another default."""

    name = "elsewhere"


class Bare(Record):
    """No field at all."""


MADE: list[tuple[str, Record, dict[str, object]]] = [
    ("by position", Point(1, 2), {"x": 1, "y": 2}),
    ("by name", Point(y=2, x=1), {"x": 1, "y": 2}),
    ("by both", Point(1, y=2), {"x": 1, "y": 2}),
    ("with a default", Point(1), {"x": 1, "y": 0}),
    ("with inherited fields first", Named(1, 2, "n"), {"x": 1, "y": 2, "name": "n"}),
    ("with an inherited default", Named(1), {"x": 1, "y": 0, "name": "origin"}),
    ("with a default that only the subclass changes", Renamed(1), {"x": 1, "y": 0, "name": "elsewhere"}),
    ("without fields", Bare(), {}),
    ("with None, which is a value and not an absence", Point(None, None), {"x": None, "y": None}),
]

REFUSED: list[tuple[str, type[Record], tuple[object, ...], dict[str, object], str]] = [
    ("too many values", Point, (1, 2, 3), {}, "takes 2 values, 3 were given"),
    ("an unknown name", Point, (1,), {"z": 3}, "cannot take 'z'"),
    ("a value given twice", Point, (1,), {"x": 1}, "cannot take 'x'"),
    ("a missing value", Point, (), {"y": 1}, "needs 'x'"),
    ("a missing inherited value", Named, (), {"name": "n"}, "needs 'x'"),
    ("any value where there is no field", Bare, (1,), {}, "takes 0 values, 1 were given"),
]


@pytest.mark.parametrize(("record", "fields"), [pytest.param(*row[1:], id=row[0]) for row in MADE])
def test_a_record_is_made(record: Record, fields: dict[str, object]) -> None:
    assert record.__dict__ == fields
    assert list(record.__dict__) == list(fields), "the fields stand in their declared order"


@pytest.mark.parametrize(("cls", "args", "kwargs", "text"), [pytest.param(*row[1:], id=row[0]) for row in REFUSED])
def test_a_wrong_call_is_refused_with_its_reason(
    cls: type[Record], args: tuple[Any, ...], kwargs: dict[str, Any], text: str
) -> None:
    with pytest.raises(TypeError, match=text.replace("'", ".")) as caught:
        cls(*args, **kwargs)
    assert cls.__name__ in str(caught.value)


def test_fields_by_name_stand_in_declared_order_however_they_were_given() -> None:
    assert repr(Point(x=1, y=2)) == repr(Point(y=2, x=1)) == "Point(x=1, y=2)"


def test_records_are_equal_when_type_and_fields_are() -> None:
    assert Point(1, 2) == Point(y=2, x=1)
    assert Point(1, 2) != Point(2, 1)
    assert Named(1, 2) != Point(1, 2)
    assert Point(1, 2) != (1, 2)


def test_equal_records_have_equal_hashes() -> None:
    assert hash(Point(1, 2)) == hash(Point(y=2, x=1))
    assert len({Point(1, 2), Point(y=2, x=1), Point(1, y=2), Point(2, 1)}) == 2


def test_a_record_with_an_unhashable_field_has_no_hash() -> None:
    with pytest.raises(TypeError):
        hash(Point([1], 2))


def test_a_record_cannot_be_changed() -> None:
    point = Point(1, 2)
    with pytest.raises(AttributeError, match="immutable"):
        point.x = 3  # type: ignore[misc]
    with pytest.raises(AttributeError, match="immutable"):
        point.new = 3
    with pytest.raises(AttributeError, match="immutable"):
        del point.x
    assert point == Point(1, 2)


def test_replace_makes_another_and_leaves_the_first_alone() -> None:
    first = Named(1, 2, "n")
    second = first.replace(y=5)
    assert second == Named(1, 5, "n")
    assert type(second) is Named
    assert first == Named(1, 2, "n")


def test_replace_refuses_what_is_no_field() -> None:
    with pytest.raises(TypeError, match="z"):
        Point(1).replace(z=1)


def test_fields_gives_names_and_the_text_of_annotations_base_first() -> None:
    assert Named.fields() == {"x": "Any", "y": "Any", "name": "str"}
    assert list(Named.fields()) == ["x", "y", "name"]
    assert Bare.fields() == {}
    assert Renamed.fields() == Named.fields()


def test_a_record_shows_its_type_and_fields() -> None:
    assert repr(Named(1)) == "Named(x=1, y=0, name='origin')"
