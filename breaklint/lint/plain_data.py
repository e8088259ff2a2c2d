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
        return partial(_record, tuple, [reader(each) for each in arguments])
    if arguments:
        return partial(_optional, reader(arguments[0]))
    if issubclass(kind, tuple):
        return fields_reader(kind)
    return partial(_member if issubclass(kind, Enum) else _plain, kind)


def fields_reader(kind: Any, **own: Reader) -> Reader:
    """The reader of a named tuple; some fields may have readers of their `own`."""
    hints = get_type_hints(kind)
    if _PLAIN.issuperset(hints.values()):
        return partial(_flat, kind._make, [*hints.values()])
    return partial(_record, kind._make, [own.get(name) or reader(hint) for name, hint in hints.items()])


def _flat(make: Callable[[list[Any]], Any], kinds: list[type], data: Any) -> Any:
    if [*map(type, data)] != kinds:
        raise TypeError(f"{data!r} has other fields")
    return make(data)


def _several(read: Reader, data: Any) -> tuple[Any, ...]:
    return tuple(map(read, _plain(list, data)))


def _record(make: Callable[[list[Any]], Any], readers: list[Reader], data: Any) -> Any:
    return make([read(item) for read, item in zip(readers, data, strict=True)])


def _optional(read: Reader, data: Any) -> Any:
    return None if data is None else read(data)


def _member(kind: type[Enum], data: Any) -> Enum:
    return kind(data)


def _plain(kind: type, data: Any) -> Any:
    if data.__class__ is not kind:
        raise TypeError(f"{data!r} is no {kind.__name__}")
    return data
