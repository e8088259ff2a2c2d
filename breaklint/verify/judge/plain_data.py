"""The dataclasses of reports as plain data, which JSON and the replies of arms have, and back."""

from __future__ import annotations

import math
import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass, replace
from enum import Enum
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from breaklint.source.shown_paths import shown

Data = TypeVar("Data")


def plain(value: Any) -> Any:
    """A value as JSON has it: paths are shortened, and a number that is not finite is null."""
    if isinstance(value, float | Enum):
        return value.value if isinstance(value, Enum) else value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if not is_dataclass(value):
        return value
    values = {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if "filename" in values:
        values["filename"] = shown(values["filename"])
    if values.get("called_from"):
        filename, row = values["called_from"]
        values["called_from"] = {"filename": shown(filename), "row": row}
    return values


def instantiate(kind: type[Data], data: dict[str, Any]) -> Data:
    """An instance of a dataclass; unknown keys are ignored. KeyError if a key without a default is missing."""
    for field in fields(kind):  # type: ignore[arg-type]
        if field.default is MISSING and field.default_factory is MISSING and field.name not in data:
            raise KeyError(field.name)
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
        return tuple(_value(item_type, item) for item_type, item in zip(kinds, value, strict=False))
    if origin is list:
        return [_value(inner[0], item) for item in value]
    if origin is dict:
        return {key: _value(inner[1], item) for key, item in value.items()}
    if isinstance(hint, type) and is_dataclass(hint) and isinstance(value, dict):
        return instantiate(hint, value)
    return hint(value) if isinstance(hint, type) and issubclass(hint, Enum) else value
