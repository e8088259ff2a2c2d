"""Shapes and indexes that depend on data."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from breaklint.interp.containers import Sequence
from breaklint.interp.events import Call, Event, Index, Repeat
from breaklint.interp.lattice import without_none
from breaklint.interp.memo_key import is_static, is_tensor
from breaklint.interp.values import UNKNOWN, Array, Number, Tensor, Tuple, Value
from breaklint.rules.base import Check, Hit, certain_tensor


class BooleanMask(Check):
    """`x[mask]` reads as many elements as the mask has true ones. Storing under a mask is fine, unless the mask has no
    dimension: that one is read as a Python bool."""

    events = (Index,)

    def see(self, event: Event) -> Iterator[Hit]:
        assert isinstance(event, Index)
        if event.use in ("load", "augment") and _reads_under_mask(event):
            yield Hit(event.node)
        elif event.use == "store" and is_tensor(event.base) and _has_mask(event.index, scalar=True):
            yield Hit(event.node, "a mask without dimensions is read out of the graph")


def _reads_under_mask(event: Index) -> bool:
    if is_tensor(event.base):
        return _has_mask(event.index) or _called_mask(event)
    return event.base is UNKNOWN and _is_certain_mask(event)


def _has_mask(index: Value, scalar: bool = False) -> bool:
    """Whether a mask is among the indexes; with `scalar` only one that is computed and has no dimension."""
    parts = index.items if isinstance(index, Tuple) else (index,)
    return any(_is_mask(without_none(part), scalar) for part in parts)


def _is_mask(value: Value, scalar: bool) -> bool:
    if not isinstance(value, Tensor) or value.dtype != "bool":
        return False
    return (value.ndim == 0 and not value.role) or (value.ndim != 0 and not scalar)


def _is_certain_mask(event: Index) -> bool:
    """Whether an index is a mask of some dimensions beyond doubt: what it is read under can only be a tensor.

    An item of a mask may be one truth, with which a list is read.
    """
    assert isinstance(event.node, ast.Subscript)
    mask = certain_tensor(event.index)
    item = isinstance(event.node.slice, ast.Subscript)
    return mask is not None and mask.dtype == "bool" and (bool(mask.ndim) or (mask.ndim is None and not item))


def _called_mask(event: Index) -> bool:
    """`x[valid_mask]` and `x[~kept]` with a tensor of a dtype that nobody can know here: an index of that name, and an
    inverted one, is a mask."""
    assert isinstance(event.node, ast.Subscript)
    index, name = without_none(event.index), event.node.slice
    named = name.id if isinstance(name, ast.Name) else name.attr if isinstance(name, ast.Attribute) else ""
    unknown = isinstance(index, Tensor) and not index.dtype and index.ndim != 0
    certain = certain_tensor(event.base) is not None or certain_tensor(index) is not None
    inverted = isinstance(name, ast.UnaryOp) and isinstance(name.op, ast.Invert)
    return unknown and certain and (inverted or "mask" in named.lower().split("_"))


class TensorAsSize(Check):
    """A 0-dim tensor where Python needs an int: a slice bound, a size, how often a list is repeated."""

    events = (Index, Call, Repeat)
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
    # These read a size from a tensor on Dynamo; others that take sizes (as permute) do not. No schema says so.
    methods = frozenset({"expand", "view", "reshape", "repeat", "new_zeros", "new_ones", "new_empty", "narrow", "topk"})
    of_tensor = frozenset({"torch.topk", "torch.narrow"})  # the first argument is the tensor

    def hears(self, target: str, method: str) -> bool:
        return method in self.methods or target in self.sized or target in self.of_tensor or target in self.second

    def see(self, event: Event) -> Iterator[Hit]:
        if isinstance(event, Index):
            yield from self._slices(event)
        elif isinstance(event, Repeat):
            if certain_tensor(event.value) is not None:
                yield Hit(event.node)
        elif isinstance(event, Call):
            method = (
                event.method in self.methods and event.owner is not None and certain_tensor(event.owner) is not None
            )
            values = event.args[1:] if event.target in self.of_tensor else event.args
            values = values[:1] if event.target == "torch.full" else values
            needed = _is_array_scalar if event.target.startswith("numpy.") else _is_scalar
            function = event.target in self.sized or event.target in self.of_tensor
            sized = (function or method) and any(needed(value) for value in _flat(values))
            if sized or (method and _computes_with_array(event)):
                yield Hit(event.node)
            elif event.target in self.second:
                size = event.args[1] if len(event.args) > 1 else event.kwargs.get(self.second[event.target])
                if size is not None and any(_is_scalar(part) or _is_array_scalar(part) for part in _flat([size])):
                    yield Hit(event.node)

    def _slices(self, event: Index) -> Iterator[Hit]:
        assert isinstance(event.node, ast.Subscript)
        parts = event.node.slice.elts if isinstance(event.node.slice, ast.Tuple) else [event.node.slice]
        for part in parts:
            if not isinstance(part, ast.Slice):
                continue
            bounds = [bound for bound in (part.lower, part.upper, part.step) if bound is not None]
            values = [event.frame.module.values.get(bound) for bound in bounds]
            if any(_is_bound(bound, value) for bound, value in zip(bounds, values, strict=True)):
                yield Hit(event.node)
                return


def _is_bound(node: ast.expr, value: Value | None) -> bool:
    """A slice bound that Dynamo has to read from a tensor; a NumPy number that a module holds is a constant to it."""
    if isinstance(value, Array):
        return not isinstance(node, ast.Attribute) and not value.python_scalar
    return isinstance(value, Tensor) and not value.assumed


def _computes_with_array(event: Call) -> bool:
    """`x.view(n * self.scale)` with a NumPy number: alone it is a constant, computed with it is a tensor."""
    assert isinstance(event.node, ast.Call)
    pairs = zip(event.node.args, event.args, strict=False)
    return not event.starred and any(isinstance(node, ast.BinOp) and _is_array_scalar(value) for node, value in pairs)


def _flat(values: list[Value]) -> Iterator[Value]:
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

    events = (Index,)

    def see(self, event: Event) -> Iterator[Hit]:
        assert isinstance(event, Index)
        base, index = without_none(event.base), without_none(event.index)
        if isinstance(base, Sequence) or (isinstance(base, Tuple) and not is_static(base)):
            if certain_tensor(index) is not None:
                yield Hit(event.node)
        elif certain_tensor(base) is not None:
            parts = index.items if isinstance(index, Tuple) else (index,)
            if any(_computed_scalar(part) for part in parts):
                yield Hit(event.node)


def _computed_scalar(value: Value) -> bool:
    tensor = certain_tensor(value)
    return tensor is not None and tensor.ndim == 0 and tensor.dtype == "int"
