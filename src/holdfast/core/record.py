"""Immutable records, without what the standard ones cost at start-up.

`dataclasses` doubles the start of a hook process and `typing.NamedTuple` nearly so. A `Record` is
declared like a frozen dataclass, and type checkers treat it as one, but making the class costs
microseconds and imports nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self, dataclass_transform
else:

    def dataclass_transform(**_options):  # noqa: D103
        return lambda cls: cls


@dataclass_transform(frozen_default=True)
class Record:
    """Base of all value types: fields are the annotations, in order; equal when type and fields are."""

    if not TYPE_CHECKING:
        _fields = ()

    def __init_subclass__(cls) -> None:
        inherited: tuple[str, ...] = getattr(cls, "_fields", ())
        names = inherited + tuple(name for name in cls.__annotations__ if name not in inherited)
        setattr(cls, "_fields", names)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        fields: tuple[str, ...] = getattr(self, "_fields", ())
        if len(args) > len(fields):
            raise TypeError(f"{type(self).__name__} takes {len(fields)} values, {len(args)} were given")
        values = self.__dict__
        values.update(zip(fields, args, strict=False))
        for name in kwargs:
            if name not in fields or name in values:
                raise TypeError(f"{type(self).__name__} cannot take {name!r}")
        for name in fields[len(args) :]:
            values[name] = kwargs[name] if name in kwargs else self._default(name)

    @classmethod
    def _default(cls, name: str) -> Any:
        for owner in cls.__mro__:
            if name in owner.__dict__:
                return owner.__dict__[name]
        raise TypeError(f"{cls.__name__} needs {name!r}")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable: make another with replace({name}=…)")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash((type(self).__name__, *self.__dict__.values()))

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in self.__dict__.items())
        return f"{type(self).__name__}({shown})"

    def replace(self, **changes: Any) -> Self:
        """Return a copy with these fields changed."""
        return type(self)(**{**self.__dict__, **changes})

    @classmethod
    def fields(cls) -> dict[str, str]:
        """Return each field's name and the text of its annotation."""
        texts: dict[str, str] = {}
        for owner in reversed(cls.__mro__):
            if owner is not object and owner is not Record:
                texts.update(owner.__annotations__)
        return texts
