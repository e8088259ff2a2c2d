"""The smallest value that covers several, and what of a value is left."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from breaklint.interp import containers
from breaklint.interp.objects import Instance
from breaklint.interp.values import (
    NONE,
    UNKNOWN,
    Array,
    Const,
    ExternalInstance,
    Number,
    Shape,
    Size,
    Static,
    Tensor,
    Tuple,
    Union,
    Value,
    constant_kind,
)

MAX_OPTIONS: Final = 5


def join_all(values: Iterable[Value]) -> Value | None:
    """The join of `values`, None when there are none."""
    result: Value | None = None
    for value in values:
        result = value if result is None else join(result, value)
    return result


def join(a: Value, b: Value) -> Value:
    """The smallest value that covers both."""
    if a is b or a == b:
        return a
    if a is UNKNOWN or b is UNKNOWN:
        return UNKNOWN
    if type(a) is Union or type(b) is Union:
        return _union([*options(a), *options(b)])
    merged = _merge(a, b)
    return merged if merged is not None else _union([a, b])


def options(value: Value) -> tuple[Value, ...]:
    """The possible values of a Union, or the value itself."""
    return tuple(value.options) if isinstance(value, Union) else (value,)


def without_none(value: Value) -> Value:
    """The value once it is known not to be None."""
    if type(value) is not Union:
        return value
    if value.cached_without_none is None:
        rest = tuple(option for option in value.options if option is not NONE)
        value.cached_without_none = (
            UNKNOWN if len(rest) == len(value.options) else rest[0] if len(rest) == 1 else Union(rest)
        )
    return value if value.cached_without_none is UNKNOWN else value.cached_without_none


def each(value: Value, function: Callable[[Value], Value]) -> Value:
    """The join of `function` over the options of `value`."""
    if type(value) is not Union:
        return function(value)
    return join_all([function(option) for option in value.options]) or UNKNOWN


def _merge(a: Value, b: Value) -> Value | None:
    """The join of two unlike values of one sort, None when they are of different sorts."""
    kind = type(a)
    if kind is type(b):
        merge = _merge_sequences if kind is containers.Sequence else _MERGES.get(kind)
        return None if merge is None else merge(a, b)  # type: ignore[arg-type]
    if kind is Number:
        return _merge_number(a, b)
    if type(b) is Number:
        return _merge_number(b, a)
    return _merge_static(a, b)


def _merge_number(a: Any, b: Value) -> Value | None:
    if b is NONE or not isinstance(b, (Const, Static, Size)):
        return None
    return Number(a.kind if constant_kind(b) == a.kind else "", a.symbolic)


def _merge_tensors(a: Tensor, b: Tensor) -> Value:
    return Tensor(
        a.dtype if a.dtype == b.dtype else "",
        a.ndim if a.ndim == b.ndim else None,
        a.assumed or b.assumed,
        a.role if a.role == b.role else "",
    )


def _merge_arrays(a: Array, b: Array) -> Value:
    return Array(a.dtype if a.dtype == b.dtype else "", a.ndim if a.ndim == b.ndim else None)


def _merge_numbers(a: Number, b: Number) -> Value:
    return Number(a.kind if a.kind == b.kind else "", a.symbolic and b.symbolic)


def _merge_tuples(a: Tuple, b: Tuple) -> Value:
    if len(a.items) == len(b.items):
        return Tuple(tuple(join(x, y) for x, y in zip(a.items, b.items, strict=True)))
    return containers.Sequence(join_all([*a.items, *b.items]), kind="tuple")


def _merge_sequences(a: containers.Sequence, b: containers.Sequence) -> Value:
    element = a.element if b.element is None else b.element if a.element is None else join(a.element, b.element)
    return containers.Sequence(element, kind=a.kind if a.kind == b.kind else "list")


def _merge_static(a: Value, b: Value) -> Value | None:
    if a is NONE or b is NONE or type(a) not in _STATIC or type(b) not in _STATIC:
        return None
    first, second = constant_kind(a), constant_kind(b)
    return Static(first if first == second else "")


_STATIC: Final = frozenset({Const, Static, Size})
_MERGES: Final[dict[type[Value], Callable[[Any, Any], Value | None]]] = {
    Tensor: _merge_tensors,
    Array: _merge_arrays,
    Number: _merge_numbers,
    Shape: lambda a, b: Shape(),
    Tuple: _merge_tuples,
    Instance: lambda a, b: a if a.cls is b.cls else None,
    ExternalInstance: lambda a, b: a if a is b else None,
    Const: _merge_static,
    Static: _merge_static,
    Size: _merge_static,
}


def _union(values: list[Value]) -> Value:
    """A Union of the values, merged where they are of one sort; Unknown when there are too many."""
    merged: list[Value] = []
    for value in values:
        for place, other in enumerate(merged):
            both = other if other is value or other == value else _merge(other, value)
            if both is not None:
                merged[place] = both
                break
        else:
            merged.append(value)
    if len(merged) == 1:
        return merged[0]
    return Union(tuple(merged)) if len(merged) <= MAX_OPTIONS else UNKNOWN
