"""What a value comes down to: a tensor, something static, and the key under which calls are remembered."""

from __future__ import annotations

from typing import Any, Final

from breaklint.interp.callables import Function, Method, Partial, Super
from breaklint.interp.containers import Dict, Sequence
from breaklint.interp.lattice import without_none
from breaklint.interp.values import Const, Shape, Size, Static, Tensor, Tuple, Union, Value


def is_tensor(value: Value) -> bool:
    """Whether the value is a tensor wherever it is anything but None."""
    return isinstance(value, Tensor) or (isinstance(value, Union) and isinstance(without_none(value), Tensor))


def is_static(value: Value) -> bool:
    """Whether no tensor's data can reach the value."""
    if isinstance(value, Tuple):
        return all(is_static(item) for item in value.items)
    if isinstance(value, Union):
        return all(is_static(option) for option in value.options)
    return isinstance(value, (Const, Static, Size, Shape))


def key(value: Value, depth: int = 3) -> object:
    """A hashable summary: two values with the same key mean the same to a callee."""
    if type(value) not in _PARTS:
        return value
    if isinstance(value, Sequence):
        if depth == 0:
            return "sequence"
        inner = None if value.items is None else tuple(key(item, depth - 1) for item in value.items[:16])
        return ("sequence", value.kind, inner, None if value.element is None else key(value.element, depth - 1))
    if isinstance(value, Dict):
        if depth == 0:
            return "dict"
        return (
            "dict",
            tuple((name, key(item, depth - 1)) for name, item in sorted_items(value)[:32]),
            None if value.rest is None else key(value.rest, depth - 1),
        )
    if isinstance(value, Tuple):
        return ("tuple", tuple(key(item, depth - 1) for item in value.items)) if depth else "tuple"
    if isinstance(value, Function):
        return (id(value.info), id(value.owner), id(value.closure))
    if isinstance(value, Partial):
        return ("partial", key(value.function, 1), tuple(key(item, 1) for item in value.args))
    if isinstance(value, (Method, Super)):
        return (type(value).__name__, id(value.owner))
    if isinstance(value, Union):
        return frozenset(key(option, depth - 1) for option in value.options) if depth else "union"
    return value


_PARTS: Final = frozenset({Sequence, Dict, Tuple, Function, Partial, Method, Super, Union})


def sorted_items(value: Dict) -> list[tuple[Any, Value]]:
    """The known items in an order that does not depend on insertion."""
    return sorted(value.items.items(), key=lambda item: repr(item[0]))
