"""Plain data, as JSON and the replies of arms have it, in the dataclasses of reports."""

from __future__ import annotations

import types
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

Data = TypeVar("Data")


def built(kind: type[Data], data: dict[str, Any]) -> Data:
    """An instance of a dataclass; keys that it does not have are left out, keys that are missing take their default."""
    return kind(**_values(kind, data))


def updated(one: Data, data: dict[str, Any]) -> Data:
    """An instance like another, with those fields that the data has."""
    changed: Data = replace(one, **_values(type(one), data))  # type: ignore[type-var]
    return changed


def _values(kind: type[Any], data: dict[str, Any]) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {field.name: _value(hints[field.name], data[field.name]) for field in fields(kind) if field.name in data}


def _value(hint: Any, value: Any) -> Any:
    """`value`, as JSON has it, in the type that the annotation names."""
    if value is None or hint is Any:
        return value
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return _value(next(part for part in inner if part is not type(None)), value)
    if origin is tuple:
        value = list(value.values()) if isinstance(value, dict) else value  # a place: {"filename": …, "row": …}
        kinds = inner[:1] * len(value) if inner[-1] is Ellipsis else inner
        return tuple(_value(each, item) for each, item in zip(kinds, value, strict=False))
    if origin is list:
        return [_value(inner[0], item) for item in value]
    if origin is dict:
        return {key: _value(inner[1], item) for key, item in value.items()}
    if isinstance(hint, type) and is_dataclass(hint) and isinstance(value, dict):
        return built(hint, value)
    return hint(value) if isinstance(hint, type) and issubclass(hint, Enum) else value
