"""Comparisons of abstract values, and the tensor data that they need."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator
from typing import Any, Final

from breaklint.interp.containers import Dict, Sequence, Tuple
from breaklint.interp.events import Contains, Truth
from breaklint.interp.frame import Frame
from breaklint.interp.lattice import UNKNOWN, Unknown, Value, each
from breaklint.interp.models import special_methods
from breaklint.interp.models.instances import as_tensor
from breaklint.interp.parameter_inference import masks
from breaklint.interp.predicates import is_none, is_python_number, is_static
from breaklint.interp.transfer.operators import emit_address_use, operate
from breaklint.interp.values import (
    NONE,
    SIZE,
    Array,
    Const,
    ExternalName,
    Number,
    Shape,
    Static,
    Tensor,
    constant_kind,
    without_none,
)

COMPARED: Final[dict[type[ast.cmpop], Callable[[Any, Any], Any]]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}  # fmt: skip
# By name of a version: the oldest one that is supported.
OLDEST: Final = {ExternalName("sys.version_info"): (3, 10), ExternalName("torch.__version__"): (2, 11)}


def _compares_in_python(left: Value, right: Value) -> bool:
    """Whether Python compares by identity: a tensor with a string, a shape or a container."""
    operand = right if isinstance(left, Tensor) else left if isinstance(right, Tensor) else None
    return isinstance(operand, (Dict, Sequence, Shape, Tuple)) or constant_kind(operand or UNKNOWN) == "str"


def compare(frame: Frame, node: ast.Compare, left: Value, op: ast.cmpop, right: Value) -> Value:
    """The value of one comparison, `left op right`."""
    emit_address_use(frame, node, left, right)
    if isinstance(op, (ast.Is, ast.IsNot)):
        if isinstance(left, Const) and isinstance(right, Const) and isinstance(left.value, str):
            return Const((left == right) == isinstance(op, ast.Is))
        is_equal = is_none(left) if right is NONE else is_none(right) if left is NONE else None
        return Static("bool") if is_equal is None else Const(is_equal == isinstance(op, ast.Is))
    if isinstance(op, (ast.In, ast.NotIn)):
        frame.emit(Contains(node, frame, left, right))
        special_methods.compare(frame, left, op, right)
        is_member = _is_key(frame, node, left, right)
        return Static("bool") if is_member is None else Const(is_member == isinstance(op, ast.In))
    if isinstance(left, ExternalName) and left in OLDEST:
        return _of_version(OLDEST[left], op, right)
    if left is not NONE and right is not NONE and (own := special_methods.compare(frame, left, op, right)) is not None:
        return own
    left, right = as_tensor(frame.interp, left), as_tensor(frame.interp, right)
    if frame.context.traced and (pair := _decisive_pair(left, right)) is not None:
        value, certain = pair
        if certain or "assert" in frame.blocks[-1:]:  # which expects equal items before it
            frame.emit(Truth(node, frame, value, "compare"))
    if left is NONE or right is NONE or _compares_in_python(left, right):
        return Static("bool")
    if isinstance(left, Const) and isinstance(right, Const) and type(op) in COMPARED:
        try:
            return Const(bool(COMPARED[type(op)](left.value, right.value)))
        except TypeError:
            return Static("bool")
    if is_static(left) and is_static(right):
        return Static("bool")
    is_symbolic = any(isinstance(value, Number) and value.symbolic for value in (left, right))
    if is_symbolic and (_is_open(left) or _is_open(right)):
        return Number("bool", symbolic=True)  # Dynamo holds a comparison with a drawn number as a tensor
    result = each(operate(left, right, ast.Add()), _as_truth)
    if result is not UNKNOWN:
        return result
    function = frame.function
    is_mask = _has_open_tensor(left, right) or (function is not None and node in masks(function))
    return Tensor("bool", assumed=True) if is_mask else UNKNOWN


def _has_open_tensor(left: Value, right: Value) -> bool:
    """Whether an assumed tensor is compared with an unknown value."""
    sides = (without_none(left), without_none(right))
    return any(isinstance(side, Tensor) for side in sides) and all(map(_is_open, sides))


def _decisive_pair(left: Value, right: Value) -> tuple[Value, bool] | None:
    """The tensor in two containers that Python compares with a number, and whether it is surely reached.

    Python compares the items of two sequences until two differ. Two tensors may be the same object, which is equal to
    itself.
    """
    certain = True
    for mine, its in _pairs(left, right):
        if isinstance(mine, Const) and isinstance(its, Const):
            if mine.value != its.value:
                return None
            continue
        for value, other in ((mine, its), (its, mine)):
            if isinstance(value, Tensor) and not value.assumed:
                if is_python_number(other):
                    return value, certain
                if isinstance(other, Const):
                    return None
        if (inside := _decisive_pair(mine, its)) is not None:
            return inside[0], inside[1] and certain
        certain = False
    return None


def _pairs(left: Value, right: Value) -> Iterator[tuple[Value, Value]]:
    """The pairs of items that Python compares, none if kinds or lengths decide."""
    if isinstance(left, Dict) and isinstance(right, Dict):
        closed = not (left.rest or right.rest or left.optional or right.optional)
        return (
            (left.items[key], right.items[key])
            for key in left.items
            if closed and left.items.keys() == right.items.keys()
        )
    mine, its = _items(left, right), _items(right, left)
    return zip(mine, its, strict=True) if len(mine) == len(its) else iter(())


def _items(value: Value, other: Value) -> tuple[Value, ...]:
    if isinstance(value, Tuple):
        return value.items if isinstance(other, (Tuple, Shape)) else ()
    if isinstance(value, Shape) and isinstance(other, Tuple):
        return (SIZE,) * (len(other.items) if value.ndim is None else value.ndim)
    if isinstance(value, Sequence) and isinstance(other, Sequence) and {value.kind, other.kind} == {"list"}:
        if value.items is None and value.element is not None:
            return (value.element,) * len(other.items or ())
        return tuple(value.items or ())
    return ()


def _is_open(value: Value) -> bool:
    """Whether a value is unknown or an assumed tensor, or None."""
    value = without_none(value)
    return isinstance(value, Unknown) or (isinstance(value, Tensor) and value.assumed)


def _of_version(oldest: tuple[int, ...], op: ast.cmpop, other: Value) -> Value:
    """The result of a comparison of the version of Python or torch on every version that is supported."""
    if isinstance(other, Const):
        items: list[object] = [int(part) if part.isdecimal() else part for part in str(other.value).split(".")]
    else:
        elements = other.items if isinstance(other, Tuple) else ()
        items = [item.value if isinstance(item, Const) else None for item in elements]
    parts = tuple(item for item in items if isinstance(item, int))
    if not parts or len(parts) != len(items) or parts > oldest or isinstance(op, (ast.Eq, ast.NotEq)):
        return Static("bool")
    return Const(isinstance(op, (ast.Gt, ast.GtE)))


def _is_key(frame: Frame, node: ast.Compare, left: Value, right: Value) -> bool | None:
    """Whether a string is a key of a module-level dict with known keys; None if unknown."""
    table = node.comparators[-1]
    if not (isinstance(left, Const) and isinstance(left.value, str) and isinstance(right, Dict) and right.items):
        return None
    is_global = isinstance(table, ast.Name) and frame.lookup(table.id) is None
    return left.value in right.items if is_global and right.rest is None and not right.optional else None


def _as_truth(value: Value) -> Value:
    """The value of a comparison whose operands have this sum."""
    if isinstance(value, Tensor):
        return Tensor("bool", value.ndim, value.assumed)
    if isinstance(value, Array):
        return Array("bool", value.ndim)
    return Number("bool", value.symbolic) if isinstance(value, Number) else UNKNOWN
