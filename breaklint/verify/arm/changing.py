"""Copies of a call's arguments, and other values in the memory of a call, to see whether the next one looks at them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch.utils._pytree import tree_leaves, tree_map

SHRUNK = 0.875
"""What every number is multiplied with: what was positive, below 1 or a probability stays so."""
SHIFT = 0.01
"""How far parameters are moved besides, each element otherwise, since many a weight begins as zero."""


@contextmanager
def changed_in_place(model: Any, given: Any, held: Any, factor: float = SHRUNK) -> Iterator[bool]:
    """Inside, the tensors of `held` have the values of those in `given`, times `factor`, and the parameters other ones.

    False where nothing can be changed. Parameters get their own values back at the end.
    """
    parameters = model.parameters() if isinstance(model, torch.nn.Module) else ()
    own: list[torch.Tensor] = [parameter for parameter in parameters if _has_floats(parameter)]
    kept = [parameter.detach().clone() for parameter in own]
    try:
        yield _all_changed(own, kept, tree_leaves(given), tree_leaves(held), factor)
    finally:
        with torch.no_grad():
            for parameter, value in zip(own, kept, strict=True):
                parameter.copy_(value)


def _all_changed(
    own: list[torch.Tensor], kept: list[torch.Tensor], given: list[Any], held: list[Any], factor: float
) -> bool:
    with torch.no_grad():
        try:
            changed = _change(given, held, factor, integers=not own)
            for parameter, value in zip(own, kept, strict=True):
                parameter.copy_(value * SHRUNK + SHIFT * _waves(value))
        except RuntimeError:  # memory that may not be written, or that elements share
            return False
    return changed or bool(own)


def copy_all(given: Any, held: Any) -> None:
    """Give the tensors of `held` the values of those in `given`."""
    with torch.no_grad():
        for value, place in _pairs(tree_leaves(given), tree_leaves(held)):
            place.copy_(value)


def _change(given: list[Any], held: list[Any], factor: float, integers: bool) -> bool:
    """Multiply all floats; where there are none, and `integers`, pass whole numbers on from place to place."""
    pairs = list(_pairs(given, held))
    floats = [(value, place) for value, place in pairs if _has_floats(value)]
    for value, place in floats:
        place.copy_(value * factor)
    whole = [] if floats or not integers else [(v, p) for v, p in pairs if v.numel() > 1 and not _has_floats(v)]
    for value, place in whole:
        place.copy_(value.flatten().roll(1).view(value.shape))
    return bool(floats or whole)


def _pairs(given: list[Any], held: list[Any]) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    for value, place in zip(given, held, strict=False):
        if isinstance(value, torch.Tensor) and isinstance(place, torch.Tensor) and value.shape == place.shape:
            yield value.detach(), place.detach()


def _has_floats(tensor: torch.Tensor) -> bool:
    return tensor.numel() > 0 and (tensor.is_floating_point() or tensor.is_complex())


def _waves(value: torch.Tensor) -> torch.Tensor:
    """Numbers between -1 and 1, another one for each element."""
    return torch.arange(value.numel(), device=value.device, dtype=torch.float32).cos().view(value.shape).to(value.dtype)


def clone(tree: Any) -> Any:
    """A copy of a call's arguments that the call may change; leaf tensors keep `requires_grad`."""
    return tree_map(_clone_leaf, tree)


def in_dtype(tree: Any, dtype: torch.dtype) -> Any:
    """The same containers with every float tensor in another dtype."""
    return tree_map(lambda x: x.to(dtype) if isinstance(x, torch.Tensor) and x.is_floating_point() else x, tree)


def _clone_leaf(leaf: Any) -> Any:
    return leaf.detach().clone().requires_grad_(leaf.requires_grad) if isinstance(leaf, torch.Tensor) else leaf
