"""Frozen data from JSON, by the annotations of its classes: named tuples from lists, dataclasses from objects."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import is_dataclass, replace
from enum import Enum
from functools import cache, partial
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

to_json = json.JSONEncoder(separators=(",", ":")).encode
Data = TypeVar("Data")
Reader = Callable[[Any], Any]


def from_json(kind: type[Data], data: Any) -> Data:
    """An instance of a class."""
    result: Data = _reader(kind)(data)  # type: ignore[arg-type, misc]
    return result


def updated(one: Data, data: Mapping[str, Any]) -> Data:
    """A dataclass like another one, with those fields that the data has."""
    changed: Data = replace(one, **fields_from_json(type(one), data))  # type: ignore[type-var]
    return changed


def fields_from_json(kind: type, data: Mapping[str, Any]) -> dict[str, Any]:
    """Some fields of a class, by name; other names are ignored."""
    readers = _readers(kind)
    known = ((name, value, readers[name]) for name, value in data.items() if name in readers)
    return {name: value if read is None else read(value) for name, value, read in known}


@cache
def _readers(kind: Any) -> Mapping[str, Reader | None]:
    return {name: _reader(hint) for name, hint in get_type_hints(kind).items()}


@cache
def _reader(kind: Any) -> Reader | None:
    """A function from JSON data to a value of a type; None if both are the same."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is tuple:
        if arguments[-1] is not ...:
            return partial(_fields, tuple, _parts(arguments))
        read = _reader(arguments[0])
        return tuple if read is None else partial(_several, read)
    if arguments:  # an optional value, or a dictionary
        read = _reader(arguments[-1 if origin is dict else 0])
        return read and partial(_by_key if origin is dict else _optional, read)
    if kind is Any:
        return None
    if is_dataclass(kind):
        return partial(_instance, kind)
    if issubclass(kind, Enum) or not issubclass(kind, tuple):
        return kind if issubclass(kind, Enum) else None
    parts = _parts([*get_type_hints(kind).values()])
    return partial(_fields, kind._make, parts) if parts else kind._make


def _parts(kinds: Sequence[Any]) -> list[tuple[int, Reader]]:
    """The places of a tuple whose values differ from JSON, with their readers."""
    return [(place, read) for place, kind in enumerate(kinds) if (read := _reader(kind)) is not None]


def _fields(make: Reader, parts: list[tuple[int, Reader]], data: Any) -> Any:
    items = [*(data.values() if isinstance(data, dict) else data)]  # a place: {"filename": …, "row": …}
    for place, read in parts:
        items[place] = read(items[place])
    return make(items)


def _instance(kind: Any, data: Any) -> Any:
    return kind(**fields_from_json(kind, data))


def _several(read: Reader, data: Any) -> tuple[Any, ...]:
    return tuple(map(read, data)) if data else ()  # most are empty


def _by_key(read: Reader, data: Any) -> Any:
    return {key: read(value) for key, value in data.items()}


def _optional(read: Reader, data: Any) -> Any:
    return None if data is None else read(data)
