"""Shapes and indexes that depend on data."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from breaklint.interp.containers import Sequence, Tuple
from breaklint.interp.events import Call, Index, Repeat
from breaklint.interp.lattice import UNKNOWN, Value
from breaklint.interp.predicates import is_static, is_tensor
from breaklint.interp.values import Array, Number, Tensor, without_none
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
    if is_tensor(index.base):
        return _has_mask(index.index) or _is_called_mask(index)
    return index.base is UNKNOWN and _is_certain_mask(index)


def _has_mask(value: Value, scalar: bool = False) -> bool:
    """Whether a mask is among the indexes; with `scalar` only one that is computed and has no dimension."""
    parts = value.items if isinstance(value, Tuple) else (value,)
    return any(_is_mask(without_none(part), scalar) for part in parts)


def _is_mask(value: Value, scalar: bool) -> bool:
    if not isinstance(value, Tensor) or value.dtype != "bool":
        return False
    return (value.ndim == 0 and not value.role) or (value.ndim != 0 and not scalar)


def _is_certain_mask(index: Index) -> bool:
    """Whether an index is a mask of some dimensions beyond doubt: what it is read under can only be a tensor.

    An item of a mask may be one truth, with which a list is read.
    """
    mask = certain_tensor(index.index)
    item = isinstance(index.node.slice, ast.Subscript)
    return mask is not None and mask.dtype == "bool" and (bool(mask.ndim) or (mask.ndim is None and not item))


def _is_called_mask(index: Index) -> bool:
    """Whether a tensor of unknown dtype is a mask by its name or as it is inverted: `x[valid_mask]`, `x[~kept]`."""
    value, name = without_none(index.index), index.node.slice
    named = name.id if isinstance(name, ast.Name) else name.attr if isinstance(name, ast.Attribute) else ""
    unknown = isinstance(value, Tensor) and not value.dtype and value.ndim != 0
    certain = certain_tensor(index.base) is not None or certain_tensor(value) is not None
    inverted = isinstance(name, ast.UnaryOp) and isinstance(name.op, ast.Invert)
    return unknown and certain and (inverted or "mask" in named.lower().split("_"))


class TensorAsSize(Check):
    """A 0-dim tensor where Python needs an int: a slice bound, a size, how often a list is repeated."""

    sized = frozenset(
        {
            "torch.arange",
            "torch.zeros",
            "torch.ones",
            "torch.empty",
            "torch.rand",
            "torch.randn",
            "torch.full",
            "builtins.range",
            "builtins.slice",
            "numpy.zeros",
            "numpy.ones",
            "numpy.arange",
            "numpy.empty",
            "numpy.full",
        }
    )
    second: ClassVar = {"torch.nn.functional.one_hot": "num_classes", "torch.nn.functional.pad": "pad"}
    methods = frozenset({"expand", "view", "reshape", "repeat", "new_zeros", "new_ones", "new_empty", "narrow", "topk"})
    of_tensor = frozenset({"torch.topk", "torch.narrow"})  # the first argument is the tensor

    def applies_to(self, target: str, method: str) -> bool:
        return method in self.methods or target in self.sized or target in self.of_tensor or target in self.second

    def visit_repeat(self, repeat: Repeat) -> Iterator[Hit]:
        if certain_tensor(repeat.value) is not None:
            yield Hit(repeat.node)

    def visit_index(self, index: Index) -> Iterator[Hit]:
        parts = index.node.slice.elts if isinstance(index.node.slice, ast.Tuple) else [index.node.slice]
        slices = [part for part in parts if isinstance(part, ast.Slice)]
        bounds = [bound for part in slices for bound in (part.lower, part.upper, part.step) if bound is not None]
        if any(_is_read_bound(bound, index.frame.interp.values.get(bound)) for bound in bounds):
            yield Hit(index.node)

    def visit_call(self, call: Call) -> Iterator[Hit]:
        if self._takes_scalar(call) or self._takes_scalar_second(call):
            yield Hit(call.node)

    def _takes_scalar(self, call: Call) -> bool:
        """Whether a size among the arguments is a scalar tensor."""
        method = call.method in self.methods and call.owner is not None and certain_tensor(call.owner) is not None
        values = call.args[1:] if call.target in self.of_tensor else call.args
        values = values[:1] if call.target == "torch.full" else values
        is_read = _is_array_scalar if call.target.startswith("numpy.") else _is_scalar
        function = call.target in self.sized or call.target in self.of_tensor
        sized = (function or method) and any(is_read(value) for value in _flat(values))
        return sized or (method and _computes_with_array(call))

    def _takes_scalar_second(self, call: Call) -> bool:
        """Whether the second argument, where that is a size, is a scalar tensor or array."""
        if call.target not in self.second:
            return False
        size = call.args[1] if len(call.args) > 1 else call.kwargs.get(self.second[call.target])
        return size is not None and any(_is_scalar(part) or _is_array_scalar(part) for part in _flat([size]))


def _is_read_bound(node: ast.expr, value: Value | None) -> bool:
    """Whether Dynamo has to read a slice bound from a tensor; a NumPy number that a module holds is a constant to
    it."""
    if isinstance(value, Array):
        return not isinstance(node, ast.Attribute) and not value.python_scalar
    return isinstance(value, Tensor) and not value.assumed


def _computes_with_array(call: Call) -> bool:
    """Whether an argument is computed with a NumPy number, `x.view(n * self.scale)`: that is a tensor, and the number
    alone a constant."""
    if not isinstance(call.node, ast.Call) or call.starred:
        return False
    pairs = zip(call.node.args, call.args, strict=False)
    return any(isinstance(node, ast.BinOp) and _is_array_scalar(value) for node, value in pairs)


def _flat(values: list[Value]) -> Iterator[Value]:
    """The values, and the items of those that are sequences in their place."""
    for value in values:
        items = value.items if isinstance(value, (Tuple, Sequence)) else None
        yield from [value] if items is None else items


def _is_array_scalar(value: Value) -> bool:
    return isinstance(value, Array) and value.ndim == 0


def _is_scalar(value: Value) -> bool:
    if isinstance(value, Number):
        return value.symbolic
    tensor = certain_tensor(value)
    return tensor is not None and (tensor.ndim == 0 or tensor.dtype == "int") and tensor.role != "sparse"


class TensorAsIndex(Check):
    """`x[k]` with a computed 0-dim tensor `k`, and a tensor as index of a list: Python needs the number."""

    def visit_index(self, index: Index) -> Iterator[Hit]:
        base, value = without_none(index.base), without_none(index.index)
        if isinstance(base, Sequence) or (isinstance(base, Tuple) and not is_static(base)):
            if certain_tensor(value) is not None:
                yield Hit(index.node)
        elif certain_tensor(base) is not None:
            parts = value.items if isinstance(value, Tuple) else (value,)
            if any(_is_computed_scalar(part) for part in parts):
                yield Hit(index.node)


def _is_computed_scalar(value: Value) -> bool:
    tensor = certain_tensor(value)
    return tensor is not None and tensor.ndim == 0 and tensor.dtype == "int"
