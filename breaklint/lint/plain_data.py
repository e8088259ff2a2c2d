"""Frozen data of the model from JSON; to JSON, named tuples go as they are."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import cache, partial
from typing import Any, get_args, get_origin, get_type_hints

Reader = Callable[[Any], Any]
_PLAIN = {str, int, bool, float}


@cache
def reader(kind: Any) -> Reader:
    """A function from JSON data to a value of a type; it raises TypeError or ValueError for data of another type."""
    arguments = get_args(kind)
    if get_origin(kind) is tuple:
        if arguments[-1] is ...:
            return partial(_several, reader(arguments[0]))
        return partial(_record, [reader(each) for each in arguments])
    if arguments:
        return partial(_optional, reader(arguments[0]))
    if issubclass(kind, tuple):
        return _fields_reader(kind)
    return {member.value: member for member in kind}.__getitem__ if issubclass(kind, Enum) else partial(_plain, kind)


def _fields_reader(kind: Any) -> Reader:
    """The reader of a named tuple."""
    hints = [*get_type_hints(kind).values()]
    if _PLAIN.issuperset(hints):
        return partial(_flat, kind._make, hints)
    plain = {place: hint for place, hint in enumerate(hints) if hint in _PLAIN}
    nested = [(place, reader(hint)) for place, hint in enumerate(hints) if hint not in _PLAIN]
    return partial(_fields, kind._make, [*plain], [*plain.values()], nested)


def _flat(make: Callable[[list[Any]], Any], kinds: list[type], data: Any) -> Any:
    if [*map(type, data)] != kinds:
        raise TypeError(f"{data!r} has other fields")
    return make(data)


def _fields(
    make: Callable[[list[Any]], Any], plain: list[int], kinds: list[type], nested: list[tuple[int, Reader]], data: Any
) -> Any:
    """A named tuple; the types of its `plain` fields are compared at once."""
    if [type(data[place]) for place in plain] != kinds:
        raise TypeError(f"{data!r} has other fields")
    items = [*data]
    for place, read in nested:
        items[place] = read(items[place])
    return make(items)


def _several(read: Reader, data: Any) -> tuple[Any, ...]:
    return tuple(map(read, _plain(list, data))) if data != [] else ()  # most are empty


def _record(readers: list[Reader], data: Any) -> Any:
    return tuple(read(item) for read, item in zip(readers, data, strict=True))


def _optional(read: Reader, data: Any) -> Any:
    return None if data is None else read(data)


def _plain(kind: type, data: Any) -> Any:
    if data.__class__ is not kind:
        raise TypeError(f"{data!r} is no {kind.__name__}")
    return data
