"""The model in float64 as the measure of rounding: is a compiled result further from it than eager's is?

What torch's own benchmarks do (https://github.com/pytorch/pytorch/blob/main/torch/_dynamo/utils.py, `same`): in low
precision two right results may differ by more than any fixed tolerance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import torch
from torch.utils._pytree import tree_map

FACTOR = 3.0
"""How many times eager's error a compiled result's may be."""

PLAUSIBLE = 0.05
"""The largest relative error of eager's that rounding explains; beyond, the model does something else in float64."""


def widened(tree: Any) -> Any:
    """The same containers with every float tensor in float64."""

    def widen(leaf: Any) -> Any:
        return leaf.double() if isinstance(leaf, torch.Tensor) and leaf.is_floating_point() else leaf

    return tree_map(widen, tree)


def no_worse(expected: torch.Tensor, actual: torch.Tensor, exact: Any) -> bool:
    """Is `actual` about as near to the float64 result `exact` as the eager result `expected` is?

    False also when float64 is no measure: another or an empty shape, NaN, or further from eager than rounding explains.
    """
    is_measure = isinstance(exact, torch.Tensor) and exact.shape == expected.shape and exact.numel()
    if not is_measure or expected.dtype is torch.float64:
        return False
    eager, compiled = _errors(expected, exact), _errors(actual, exact)
    finite = bool(eager.isfinite().all() and compiled.isfinite().all())
    if not finite or _rms(eager) > PLAUSIBLE * _rms(exact.abs()):
        return False
    return bool(_rms(compiled) <= FACTOR * _rms(eager) and compiled.max() <= FACTOR * eager.max())


def deviates_no_more(actual: Any, expected: Any, again: Any, scale: float) -> bool:
    """Is `actual` about as near to `expected` as `again` is, what an equal run gave where kernels add in any order?

    What has to be zero, such as the gradient of a bias of keys, is then nothing but rounding. `scale` is the root mean
    square of the largest of such tensors; a run that deviates by more than rounding explains is no measure.
    """
    three = (actual, expected, again)
    if not all(isinstance(each, torch.Tensor) and each.is_floating_point() and each.numel() for each in three):
        return False
    if not actual.shape == expected.shape == again.shape or not actual.dtype == expected.dtype == again.dtype:
        return False
    ours, usual = _errors(actual, expected), _errors(again, expected)
    if not bool(ours.isfinite().all() and usual.isfinite().all()) or _rms(usual) > PLAUSIBLE * scale:
        return False
    return bool(_rms(ours) <= FACTOR * _rms(usual) and ours.max() <= FACTOR * usual.max())


def largest(tensors: Iterable[Any]) -> float:
    """The largest root mean square of some tensors."""
    return max((float(_rms(each.double().abs())) for each in tensors if isinstance(each, torch.Tensor)), default=0.0)


def relative_errors(expected: Any, actual: Any, exact: Any) -> tuple[float, float] | None:
    """The largest relative error, root mean square, of eager's and of the compiled outputs; None without a measure."""
    pairs = [
        (float(_rms(_errors(one, true)) / scale), float(_rms(_errors(other, true)) / scale))
        for one, other, true in _triples(expected, actual, exact)
        if (scale := _rms(true.abs())) > 0
    ]
    return (max(eager for eager, _ in pairs), max(compiled for _, compiled in pairs)) if pairs else None


def _triples(expected: Any, actual: Any, exact: Any) -> Iterator[tuple[torch.Tensor, torch.Tensor, torch.Tensor]]:
    if isinstance(expected, torch.Tensor) and isinstance(actual, torch.Tensor) and isinstance(exact, torch.Tensor):
        alike = expected.shape == actual.shape == exact.shape and expected.is_floating_point() and expected.numel()
        if alike and all(bool(value.isfinite().all()) for value in (expected, actual, exact)):
            yield expected, actual, exact
    elif isinstance(expected, dict) and isinstance(actual, dict) and isinstance(exact, dict):
        for key in expected:
            yield from _triples(expected[key], actual.get(key), exact.get(key))
    elif isinstance(expected, list) and isinstance(actual, list) and isinstance(exact, list):
        for one, other, true in zip(expected, actual, exact, strict=False):
            yield from _triples(one, other, true)


def _errors(value: torch.Tensor, exact: torch.Tensor) -> torch.Tensor:
    wide = torch.complex128 if value.is_complex() else torch.float64
    return (value.to(wide) - exact.to(wide)).abs()


def _rms(values: torch.Tensor) -> torch.Tensor:
    return values.square().mean().sqrt() if values.numel() else values.new_zeros(())
