"""What differs between two runs of the original by itself: times, names of temporary files, addresses, process ids."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from breaklint.verify.arm.accuracy import VARIES, Record, compare, deviates_no_more, largest

Path = tuple[str | int, ...]
RESULTS = ("output", "classes", "exception", "inputs", "again", "gradients", "strides")
"""Parts of a record without which nothing can be said of a model: where these differ, it is not deterministic."""
NAMED = (("state",), ("globals",), ("settings",), ("built",), ("built", "settings"), ("built", "globals"))
"""Where keys are names, each of which is there or not for itself."""


def varying(one: Record, other: Record, results: bool = False) -> list[Path]:
    """The places at which two records of one model differ, among its results too if these are wanted."""
    parts = (name for name in one if name in other and (results or name not in RESULTS))
    return [path for name in parts for path in _varying(one[name], other[name], (name,))]


def _varying(one: Any, other: Any, path: Path) -> Iterator[Path]:
    if isinstance(one, dict) and isinstance(other, dict) and (one.keys() == other.keys() or path in NAMED):
        for key in {**one, **other}:
            yield from _varying(one.get(key, VARIES), other.get(key, VARIES), (*path, key))
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for index, (left, right) in enumerate(zip(one, other, strict=True)):
            yield from _varying(left, right, (*path, index))
    elif (
        isinstance(one, float) and isinstance(other, float) and one == one
    ):  # a clock goes on by less than rounding may
        yield from [path] if one != other else ()
    elif one is VARIES or other is VARIES or compare(one, other, ""):
        yield path


def blanked(record: Record, paths: Iterable[Path]) -> Record:
    """The record with whatever lies at these places marked as varying."""
    told: Record = record
    for path in paths:
        told = _blanked(told, path)
    return told


def _blanked(value: Any, path: Path) -> Any:
    if not path:
        return VARIES
    first, rest = path[0], path[1:]
    if isinstance(value, dict) and (first in value or not rest):
        return {**value, first: _blanked(value.get(first), rest)}
    if isinstance(value, list) and isinstance(first, int) and first < len(value):
        return [_blanked(each, rest) if n == first else each for n, each in enumerate(value)]
    return value


def named(paths: Iterable[Path]) -> list[str]:
    """State and globals that vary, by name, for a note."""
    told = [".".join(map(str, path[1:])) for path in paths if path[0] in ("state", "globals")]
    return sorted(dict.fromkeys(told))


def steady(record: Record, twin: Record) -> Record:
    """The record with all marked as varying in which a second run differs."""
    return blanked(record, varying(record, twin, results=True))


def without_swing(record: Record, original: Record, twin: Record) -> Record:
    """The record, with the original's gradients for those that deviate from them no more than a second run did."""
    own, again = original.get("gradients", {}), twin.get("gradients", {})
    gradients, scale = dict(record.get("gradients", {})), largest(own.values())
    for name in gradients.keys() & own.keys() & again.keys():
        if deviates_no_more(gradients[name], own[name], again[name], scale):
            gradients[name] = own[name]
    return {**record, "gradients": gradients}
