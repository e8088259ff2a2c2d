"""Other inputs of the same kind: redrawn, transformed, or of another batch size."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import torch
from torch.utils._pytree import tree_leaves, tree_map

Change = Callable[[torch.Tensor], torch.Tensor]
MAY_BE_NO_INDEX = ("integers negated", "integers one more")
"""With these a rewritten source may raise, though Python indexes lists and tensors by them: they count no rows."""
SHORTER, NOT_FINITE = "one element less in dimension 1", ("NaN-holding", "infinity-holding")
LARGE = "large integers"
UNASKED, UNORDERED = "inputs, for which the code does not ask", "inputs, whose order is not defined"
NOTED = (UNASKED, UNORDERED)
"""How the names of calls end of which only a note is made."""
OTHER_ROWS = (1, 3)
"""Batch sizes on which branches often turn."""


def changed(call: Any, change: Change) -> Any:
    """The arguments with every tensor changed, its dtype and `requires_grad` kept."""

    def leaf(value: Any) -> Any:
        if not isinstance(value, torch.Tensor):
            return value
        return change(value.detach()).to(value.dtype).requires_grad_(value.requires_grad)

    return tree_map(leaf, call)


def tensors_in(tree: Any) -> list[torch.Tensor]:
    """The tensors of a call's arguments."""
    return [leaf for leaf in tree_leaves(tree) if isinstance(leaf, torch.Tensor)]


def transformed(call: Any) -> Iterator[tuple[str, Any]]:
    """The arguments under changes that often turn a branch: signs, zeros, magnitudes, shifts, NaN."""
    for name, change in _FLOAT_CHANGES.items():
        yield f"{name} inputs", changed(call, of_floats(change))
    yield "inverted masks", changed(call, lambda x: ~x if x.dtype is torch.bool else x)
    made = ((name, make()) for name, make in _of_other_forms(call))
    yield from ((name, other) for name, other in made if other is not None)
    yield "one more dimension", deepened(call)
    yield "integers all 0", changed(call, lambda x: torch.zeros_like(x) if _is_whole(x) else x)


def usual(call: Any, on_cpu: bool, not_finite: bool, ordering: bool = False) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Calls on which a rewritten source has to agree as well, where the original takes them: other values and sizes.

    Without `not_finite`, what becomes of NaN is only a note in the report: selecting rows and multiplying
    with a mask are one; with `ordering`, so is the order of equal numbers. Values that the model may refuse are tried
    on the CPU only: a GPU that fails an assert is of no more use.
    """
    if on_cpu:
        for name, change in _VALUES.items():
            yield name, partial(changed, call, change)
        for name, change in _EQUAL.items():
            yield f"{name} {UNORDERED if ordering else 'inputs'}", partial(changed, call, change)
    yield from _of_other_forms(call)
    yield "one element in dimension 1", partial(shortened, call, to=1)
    for dim in (2, 3):
        yield f"one element less in dimension {dim}", partial(shortened, call, dim)
    yield f"one more dimension of the {UNASKED}", partial(deepened, call)
    of = "inputs" if not_finite else UNASKED
    yield from ((f"{name} {of}", partial(changed, call, of_floats(_FLOAT_CHANGES[name]))) for name in NOT_FINITE)


def _of_other_forms(call: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
    for value in (False, True):
        yield f"masks all {value}", partial(changed, call, _masks_of(value))
    for rows in (*OTHER_ROWS, 0):
        yield f"batch size {rows}", partial(resized, call, rows)
    yield SHORTER, partial(shortened, call)


def shortened(call: Any, dim: int = 1, to: int = -1) -> Any:
    """The arguments with less elements in a dimension, where most of their tensors share its size; else None.

    To one element only if it is not the last dimension of these, which many an operation would then repeat.
    """
    leaves = [leaf for leaf in tensors_in(call) if leaf.dim() > dim]
    sizes = Counter(leaf.shape[dim] for leaf in leaves if leaf.shape[dim] > 1)
    if not sizes:
        return None
    common = sizes.most_common(1)[0][0]
    left = to % common
    if (
        left == 1
        and (dim > 1 or to == 1)
        and any(leaf.dim() == dim + 1 for leaf in leaves if leaf.shape[dim] == common)
    ):
        return None
    return changed(call, lambda x: x.narrow(dim, 0, left).clone() if x.dim() > dim and x.shape[dim] == common else x)


def deepened(call: Any) -> Any:
    """The arguments with one more dimension, of one element, before the others."""
    return changed(call, lambda x: x.unsqueeze(0) if x.dim() else x)


def not_contiguous(call: Any) -> Any:
    """The same values, those of tensors of more than one dimension in another order in memory; None without any."""
    if not any(map(_can_be_transposed, tensors_in(call))):
        return None
    return changed(call, lambda x: x.transpose(0, -1).contiguous().transpose(0, -1) if _can_be_transposed(x) else x)


def _can_be_transposed(x: torch.Tensor) -> bool:
    return x.layout == torch.strided and x.dim() > 1 and x.shape[0] > 1 and x.shape[-1] > 1


def redrawn(call: Any, seed: int) -> Any:
    """The arguments with every float tensor redrawn from a normal distribution of its mean and spread."""
    generator = torch.Generator().manual_seed(seed)

    def draw(x: torch.Tensor) -> torch.Tensor:
        spread = x.float().std(correction=0) if x.numel() else x.new_zeros(())
        return torch.randn(x.shape, generator=generator).to(x.device) * spread + x.float().mean()

    return changed(call, of_floats(draw))


def varied(call: Any) -> Any:
    """The arguments with every float tensor whose elements are all equal, or all NaN, drawn from a normal distribution.

    None when there is none.
    """
    if not any(map(_cannot_tell, tensors_in(call))):
        return None
    generator = torch.Generator().manual_seed(0)

    def draw(x: torch.Tensor) -> torch.Tensor:
        return torch.randn(x.shape, generator=generator).to(x.device) if _cannot_tell(x) else x

    return changed(call, draw)


def _cannot_tell(x: torch.Tensor) -> bool:
    if x.numel() < 2 or not x.is_floating_point():
        return False
    first = x.reshape(-1)[0]
    return bool(((x == first) | (x.isnan() & first.isnan())).all())


def resized(call: Any, batch: int) -> Any:
    """The arguments with `batch` as the leading dimension that most of their tensors share, repeated where needed.

    None when there is no tensor with a leading dimension.
    """
    sizes = [len(leaf) for leaf in tensors_in(call) if leaf.dim() and len(leaf)]
    if not sizes:
        return None
    common = Counter(sizes).most_common(1)[0][0]

    def resize(x: torch.Tensor) -> torch.Tensor:
        if not x.dim() or len(x) != common:
            return x
        return torch.cat([x] * max(1, math.ceil(batch / common)))[:batch].clone()

    return changed(call, resize)


def of_floats(change: Change) -> Change:
    """The change for float tensors only."""
    return lambda x: change(x) if x.is_floating_point() else x


def _masks_of(value: bool) -> Change:
    return lambda x: torch.full_like(x, value) if x.dtype is torch.bool else x


def _is_whole(x: torch.Tensor) -> bool:
    return not x.is_floating_point() and not x.is_complex() and x.dtype is not torch.bool


def _large(x: torch.Tensor) -> torch.Tensor:
    """Integers that no float32 holds, nor a narrower type."""
    if x.dtype in _FACTORS:
        return x * _FACTORS[x.dtype] + 3
    return torch.iinfo(x.dtype).max - x.abs() % 7


def with_element(x: torch.Tensor, value: float | torch.Tensor, number: int = 0) -> torch.Tensor:
    """The tensor with another value at one element, counted on from its beginning."""
    x = x.clone(memory_format=torch.contiguous_format)
    if x.numel():
        x.view(-1)[number % x.numel()] = value
    return x


_FACTORS = {torch.int64: 2**33 + 1, torch.int32: 2**24 + 1}
_FLOAT_CHANGES: dict[str, Change] = {
    "negated": torch.neg,
    "all-zero": torch.zeros_like,
    "all-one": torch.ones_like,
    "absolute": torch.abs,
    "negative": lambda x: -x.abs() - 1,
    "100 times larger": lambda x: x * 100,
    "100 times smaller": lambda x: x / 100,
    "shifted up": lambda x: x + 10,
    "shifted down": lambda x: x - 10,
    "huge": lambda x: x.abs() * 1e4 + 1e4,
    "NaN-holding": lambda x: with_element(x, math.nan),
    "infinity-holding": lambda x: with_element(x, math.inf),
}
_VALUES: dict[str, Change] = {
    **{f"{name} inputs": of_floats(_FLOAT_CHANGES[name]) for name in ("negated", "100 times larger", "huge")},
    "integers negated": lambda x: -x if _is_whole(x) and x.dtype is not torch.uint8 else x,
    "integers one more": lambda x: x + 1 if _is_whole(x) else x,
    LARGE: lambda x: _large(x) if _is_whole(x) else x,
}
_EQUAL: dict[str, Change] = {
    "all-zero": of_floats(torch.zeros_like),
    "rounded": of_floats(lambda x: (2 * x).round() / 2),
}
"""Many numbers are equal, to each other and (of those rounded to halves) to thresholds."""
