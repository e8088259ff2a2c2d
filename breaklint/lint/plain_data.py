"""Frozen data of the model from JSON; to JSON, named tuples go as they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import cache, partial
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

Data = TypeVar("Data")
Reader = Callable[[Any], Any]


def from_json(kind: type[Data], data: Any) -> Data:
    """An instance of a named tuple."""
    result: Data = _reader(kind)(data)  # type: ignore[arg-type, misc]
    return result


def fields_from_json(kind: type, data: Mapping[str, Any]) -> dict[str, Any]:
    """Some fields of a named tuple, by name."""
    readers = _readers(kind)
    return {name: value if (read := readers[name]) is None else read(value) for name, value in data.items()}


@cache
def _readers(kind: Any) -> Mapping[str, Reader | None]:
    return {name: _reader(hint) for name, hint in get_type_hints(kind).items()}


@cache
def _reader(kind: Any) -> Reader | None:
    """A function from JSON data to a value of a type; None if both are the same."""
    arguments = get_args(kind)
    if get_origin(kind) is tuple:
        if arguments[-1] is not ...:
            return partial(_fields, tuple, _parts(arguments))
        read = _reader(arguments[0])
        return tuple if read is None else partial(_several, read)
    if arguments:  # an optional value
        read = _reader(arguments[0])
        return read and partial(_optional, read)
    if issubclass(kind, Enum):
        return {member.value: member for member in kind}.__getitem__
    if not issubclass(kind, tuple):
        return None
    parts = _parts([*get_type_hints(kind).values()])
    return partial(_fields, kind._make, parts) if parts else kind._make


def _parts(kinds: Sequence[Any]) -> list[tuple[int, Reader]]:
    """The places of a tuple whose values differ from JSON, with their readers."""
    return [(place, read) for place, kind in enumerate(kinds) if (read := _reader(kind)) is not None]


def _fields(make: Reader, parts: list[tuple[int, Reader]], data: Any) -> Any:
    items = [*data]
    for place, read in parts:
        items[place] = read(items[place])
    return make(items)


def _several(read: Reader, data: Any) -> tuple[Any, ...]:
    return tuple(map(read, data)) if data else ()  # most are empty


def _optional(read: Reader, data: Any) -> Any:
    return None if data is None else read(data)
