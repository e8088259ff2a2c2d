"""Iteration over values."""

from __future__ import annotations

from breaklint.interp.containers import Dict, Sequence, Tuple
from breaklint.interp.lattice import UNKNOWN, Union, Value, join_all
from breaklint.interp.objects import Instance
from breaklint.interp.values import SIZE, Array, Const, Shape, Static, Tensor, without_none


def element_of(value: Value) -> Value | None:
    """The join of the items of an iteration over `value`, None if it is known to be empty."""
    value = without_none(value)
    if isinstance(value, Tuple):
        return join_all(value.items)
    if isinstance(value, Sequence):
        return value.element
    if isinstance(value, Tensor):
        return Tensor(value.dtype, value.ndim - 1 if value.ndim else None, value.assumed)
    if isinstance(value, Array):
        return Array(value.dtype, value.ndim - 1 if value.ndim else None)
    if isinstance(value, Shape):
        return SIZE
    if isinstance(value, Instance) and (items := _fields(value)) is not None:
        return join_all(items)
    if isinstance(value, Dict):
        return join_all([Const(name) for name in value.items] + ([Static("")] if value.rest else []))
    if isinstance(value, Union):
        return join_all([element_of(option) or UNKNOWN for option in value.options])
    return UNKNOWN


def items_of(value: Value) -> list[Value] | None:
    """The items of an iteration over `value`, None if not all are known."""
    if isinstance(value, (Tuple, Sequence)) and value.items is not None:
        return [*value.items]
    if isinstance(value, Dict) and value.rest is None and not value.optional:
        return [Const(name) for name in value.items]
    return None


def _fields(instance: Instance) -> list[Value] | None:
    """The items of a named tuple in their order, None for any other instance."""
    bases = [getattr(base, "attr", getattr(base, "id", "")) for base in instance.cls.node.bases]
    if "NamedTuple" not in bases:
        return None
    return [instance.get(name) or UNKNOWN for name in instance.cls.annotations]


def unpack(value: Value, count: int) -> list[Value]:
    """The values that `a, b, c = value` binds, `count` of them."""
    value = without_none(value)
    if isinstance(value, Tuple) and len(value.items) == count:
        return list(value.items)
    if isinstance(value, Sequence) and value.items is not None and len(value.items) == count:
        return list(value.items)
    if isinstance(value, Instance) and (items := _fields(value)) is not None and len(items) == count:
        return items
    if isinstance(value, Union):
        columns = [unpack(option, count) for option in value.options]
        return [join_all(column) or UNKNOWN for column in zip(*columns, strict=True)]
    return [element_of(value) or UNKNOWN] * count
