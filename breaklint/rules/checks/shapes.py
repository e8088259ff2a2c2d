"""Shapes and indexes that depend on data."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from breaklint.interp.containers import Dict, Sequence, Tuple
from breaklint.interp.events import Index
from breaklint.interp.lattice import UNKNOWN, Value
from breaklint.interp.objects import Instance
from breaklint.interp.predicates import is_static, is_tensor
from breaklint.interp.values import Array, Number, Tensor, constant_kind, is_captured, without_none
from breaklint.rules.base import Check, Hit
from breaklint.rules.value_kinds import certain_tensor


class BooleanMask(Check):
    """`x[mask]` reads as many elements as the mask has true ones. Storing under a mask is fine, unless the mask has no
    dimension: that one is read as a Python bool."""

    def visit_index(self, index: Index) -> Iterator[Hit]:
        if index.use in ("load", "augment") and _reads_under_mask(index):
            yield Hit(index.node)
        elif index.use == "store" and is_tensor(index.base) and _has_mask(index.index, scalar=True):
            yield Hit(index.node, "a mask without dimensions is read out of the graph")


def _reads_under_mask(index: Index) -> bool:
    if is_tensor(index.base) or isinstance(index.base, Array):
        return _has_mask(index.index) or _is_called_mask(index) or _is_compared(index)
    return index.base is UNKNOWN and (_is_certain_mask(index) or _selects_of_itself(index))


def _has_mask(value: Value, scalar: bool = False) -> bool:
    """Whether a mask is among the indexes; with `scalar` only one that is computed and has no dimension."""
    parts = value.items if isinstance(value, Tuple) else (value,)
    return any(_is_mask(without_none(part), scalar) for part in parts)


def _is_mask(value: Value, scalar: bool) -> bool:
    if isinstance(value, Array):
        return value.dtype == "bool" and value.ndim != 0 and not scalar
    if not isinstance(value, Tensor) or value.dtype != "bool":
        return False
    return (value.ndim == 0 and not value.role) or (value.ndim != 0 and not scalar)


def _is_certain_mask(index: Index) -> bool:
    """Whether an index is certainly a mask of some dimensions, alone or beside slices, so that the indexed value is a
    tensor.

    An item of a mask may be one truth, with which a list is read.
    """
    parts: list[tuple[ast.expr, Value]] = [(index.node.slice, index.index)]
    if isinstance(index.index, Tuple) and isinstance(index.node.slice, ast.Tuple):
        parts = list(zip(index.node.slice.elts, index.index.items, strict=True))
    masks = [(node, value) for node, value in parts if not isinstance(node, ast.Slice)]
    mask = certain_tensor(masks[0][1]) if len(masks) == 1 else None
    if mask is None or mask.dtype != "bool":
        return False
    return bool(mask.ndim) or (mask.ndim is None and not isinstance(masks[0][0], ast.Subscript))


def _is_called_mask(index: Index) -> bool:
    """Whether a tensor of unknown dtype is a mask by its name or by `~`: `x[valid_mask]`, `x[~kept]`."""
    value, name = without_none(index.index), index.node.slice
    identifier = name.id if isinstance(name, ast.Name) else name.attr if isinstance(name, ast.Attribute) else ""
    unknown = isinstance(value, Tensor) and not value.dtype and value.ndim != 0
    certain = certain_tensor(index.base) is not None or certain_tensor(value) is not None
    inverted = isinstance(name, ast.UnaryOp) and isinstance(name.op, ast.Invert)
    return unknown and certain and (inverted or "mask" in identifier.lower().split("_"))


def _is_compared(index: Index) -> bool:
    """Whether a tensor is indexed by a comparison of an unknown value with a number: `x[labels == 1]`.

    If the value were a number, the index would be one bool, which no code uses as an index.
    """
    node = index.node.slice
    if index.index is not UNKNOWN or not isinstance(node, ast.Compare) or certain_tensor(index.base) is None:
        return False
    values = index.frame.interp.values
    against = [values.get(side) for side in node.comparators]
    return isinstance(node.ops[0], _ORDERINGS) and any(
        constant_kind(value) in ("int", "float") for value in against if value
    )


def _selects_of_itself(index: Index) -> bool:
    """Whether a value is indexed by its own comparison, `x[x != 0]`: a compared list is one truth."""
    node = index.node.slice
    same = isinstance(node, ast.Compare) and ast.dump(node.left) == ast.dump(index.node.value)
    return same and isinstance(node, ast.Compare) and isinstance(node.ops[0], _ORDERINGS)


_ORDERINGS: Final = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)


class TensorAsIndex(Check):
    """`x[k]` with a computed 0-dim tensor `k`, and a tensor or a random number as index of a list: Python needs the
    number."""

    def visit_index(self, index: Index) -> Iterator[Hit]:
        base, value = without_none(index.base), without_none(index.index)
        parts = value.items if isinstance(value, Tuple) else (value,)
        captures = index.frame.interp.captures
        if isinstance(base, Dict) and captures and is_captured(value, captures):
            yield Hit(index.node)
        elif isinstance(base, Sequence) or (isinstance(base, Tuple) and (captures or not is_static(base))):
            reads_tensor = certain_tensor(value) is not None or _is_item_of_array(index.node.slice, value)
            if reads_tensor or is_captured(value, captures):
                yield Hit(index.node)
        elif isinstance(base, Array) or certain_tensor(base) is not None:
            nodes = index.node.slice.elts if isinstance(index.node.slice, ast.Tuple) else [index.node.slice]
            items = len(nodes) == len(parts) and any(map(_is_item_of_array, nodes, parts))
            scalars = [node for node, part in zip(nodes, parts, strict=False) if _is_computed_scalar(part)]
            if items or any(map(_is_random, parts)):
                yield Hit(index.node)
            elif scalars and not isinstance(base, Array):
                names = tuple(node for node in scalars if isinstance(node, ast.Name))
                yield Hit(index.node, computed=names if len(names) == len(scalars) else ())
        elif any(map(_is_random, parts)) and not isinstance(base, Instance):
            yield Hit(index.node)


def _is_random(value: Value) -> bool:
    """Whether a value is a random number, which Dynamo holds as a tensor."""
    return isinstance(value, Number) and value.symbolic


def _is_item_of_array(node: ast.expr, value: Value) -> bool:
    """Whether an index is a number read from a NumPy array; a number in an attribute is a constant."""
    value = without_none(value)
    number = isinstance(value, Array) and value.ndim == 0 and not value.python_scalar and value.dtype in ("int", "")
    return number and not isinstance(node, ast.Attribute)


def _is_computed_scalar(value: Value) -> bool:
    """Whether a value is a 0-dim tensor that the graph computes; an input does not break."""
    tensor = certain_tensor(value)
    return tensor is not None and tensor.ndim == 0 and tensor.dtype in ("int", "") and not tensor.role
