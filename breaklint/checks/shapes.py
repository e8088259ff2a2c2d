"""Shapes and indexes that depend on data."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from breaklint.analysis.events import Call, Event, Index, Repeat
from breaklint.analysis.values import (
    Array,
    Number,
    Sequence,
    Tensor,
    Tuple,
    Value,
    is_static,
    is_tensor,
    without_none,
)
from breaklint.checks.base import Check, Hit, certain_tensor


class BooleanMask(Check):
    """`x[mask]` reads as many elements as the mask has true ones. Storing a scalar under a mask is fine; a tensor
    is not."""

    events = (Index,)

    def see(self, event: Event) -> Iterator[Hit]:
        assert isinstance(event, Index)
        if not is_tensor(event.base) or not _has_mask(event.index):
            return
        if event.use == "load" or (event.use in ("store", "augment") and _breaks_store(event)):
            yield Hit(event.node)


def _has_mask(index: Value) -> bool:
    parts = index.items if isinstance(index, Tuple) else (index,)
    return any(isinstance(without_none(part), Tensor) and _is_mask(without_none(part)) for part in parts)


def _is_mask(value: Value) -> bool:
    return isinstance(value, Tensor) and value.dtype == "bool" and value.ndim != 0


def _breaks_store(event: Index) -> bool:
    """`x[mask] = scalar` becomes masked_fill; a tensor with dimensions on the right needs the mask's positions."""
    stored = event.stored
    if event.use == "augment":
        return True
    return isinstance(stored, Tensor) and stored.ndim != 0 and not stored.assumed


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
            "numpy.zeros",
            "numpy.ones",
            "numpy.arange",
            "numpy.empty",
            "numpy.full",
        }
    )
    methods = frozenset({"expand", "view", "reshape", "repeat", "new_zeros", "new_ones", "new_empty", "narrow", "topk"})
    of_tensor = frozenset({"torch.topk", "torch.narrow"})  # the first argument is the tensor

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
            if (function or method) and any(needed(value) for value in _flat(values)):
                yield Hit(event.node)

    def _slices(self, event: Index) -> Iterator[Hit]:
        assert isinstance(event.node, ast.Subscript)
        parts = event.node.slice.elts if isinstance(event.node.slice, ast.Tuple) else [event.node.slice]
        for part in parts:
            if not isinstance(part, ast.Slice):
                continue
            bounds = [bound for bound in (part.lower, part.upper, part.step) if bound is not None]
            values = [event.frame.module.values.get(bound) for bound in bounds]
            if any(isinstance(value, Tensor) and not value.assumed for value in values):
                yield Hit(event.node)
                return


def _flat(values: list[Value]) -> Iterator[Value]:
    for value in values:
        items = value.items if isinstance(value, (Tuple, Sequence)) else None
        yield from [value] if items is None else items


def _is_array_scalar(value: Value) -> bool:
    return isinstance(value, Array) and value.ndim == 0


def _is_scalar(value: Value) -> bool:
    if isinstance(value, Number):
        return value.live
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
