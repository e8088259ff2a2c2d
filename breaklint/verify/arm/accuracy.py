"""Compare two records of what a call of a model did, with rounding measured by the same call in float64.

What torch's own benchmarks do (https://github.com/pytorch/pytorch/blob/main/torch/_dynamo/utils.py, `same`): in low
precision two right results may differ by more than any fixed tolerance.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

import torch

Record = dict[str, Any]

# Relative tolerance and absolute floor by dtype: compiled kernels sum in another order and fuse roundings. The
# tolerance also scales with the root mean square of the expected tensor, since elements near zero are differences of
# large ones.
_TOLERANCES = {
    torch.float64: (1e-7, 1e-12),
    torch.complex128: (1e-7, 1e-12),
    torch.float32: (1e-4, 1e-6),
    torch.complex64: (1e-4, 1e-6),
    torch.float16: (4e-3, 1e-5),
    torch.bfloat16: (3e-2, 1e-5),
}
# TF32 keeps 10 bits of the mantissa, as float16 does: https://docs.pytorch.org/docs/stable/notes/cuda.html
_TF32 = {**_TOLERANCES, torch.float32: (1e-3, 1e-6), torch.complex64: (1e-3, 1e-6)}
Tolerances = Mapping[torch.dtype, tuple[float, float]]
MAX_DIFFERENCES = 5
FACTOR = 3.0
"""How many times eager's error a compiled result's may be."""
PLAUSIBLE = 0.05
"""The largest relative error of eager's that rounding explains; beyond, the model does something else in float64."""


class Varies:
    """Stands in a record for what differs by itself from run to run; anything is equal to it."""

    def __repr__(self) -> str:
        """As differences show it."""
        return "what varies"


VARIES = Varies()


def compare(expected: Any, actual: Any, name: str, exact: Any = None, tf32: bool = False) -> list[str]:
    """Every way in which `actual` differs, one line each, at most `MAX_DIFFERENCES`; NaN equals NaN.

    With `exact`, the same in float64, rounding that is no worse than that of `expected` is no difference; with `tf32`,
    neither is rounding to TF32, which eager and compiled kernels choose each for themselves where it is allowed.
    """
    return list(islice(_differences(expected, actual, name, exact, _TF32 if tf32 else _TOLERANCES), MAX_DIFFERENCES))


def _differences(expected: Any, actual: Any, name: str, exact: Any, tolerances: Tolerances) -> Iterator[str]:
    if expected is VARIES or actual is VARIES:
        return
    if isinstance(expected, torch.Tensor) and isinstance(actual, torch.Tensor):
        yield from _tensor_difference(expected, actual, name, exact, tolerances)
    elif isinstance(expected, dict) and isinstance(actual, dict):
        for key in dict.fromkeys([*actual, *expected]):
            if expected.get(key) is VARIES:
                continue
            if key not in expected or key not in actual:
                yield f"{name}.{key} is {'new' if key not in expected else 'gone'}"
            else:
                inner = exact.get(key) if isinstance(exact, dict) else None
                yield from _differences(expected[key], actual[key], f"{name}.{key}", inner, tolerances)
    elif isinstance(expected, list) and isinstance(actual, list):
        if len(expected) != len(actual):
            yield f"{name} has {len(actual)} items, not {len(expected)}"
        exacts = exact if isinstance(exact, list) and len(exact) == len(expected) else [None] * len(expected)
        for index, (left, right, inner) in enumerate(zip(expected, actual, exacts, strict=False)):
            yield from _differences(left, right, f"{name}[{index}]", inner, tolerances)
    elif type(expected) is not type(actual):
        yield f"{name} is {_kind(actual)}, not {_kind(expected)}"
    elif not _same_plain(expected, actual):
        yield f"{name} is {actual!r}, not {expected!r}"


def _kind(value: Any) -> str:
    name = value.get("class", "dict") if isinstance(value, dict) else type(value).__name__
    article = "an" if name[0].lower() in "aeiou" else "a"
    return "None" if value is None else f"{article} {name}"


def _same_plain(expected: Any, actual: Any) -> bool:
    if isinstance(expected, float):
        both_nan = expected != expected and actual != actual
        close = abs(expected - actual) <= 1e-4 * abs(expected) + 1e-6
        return bool(both_nan or close or expected == actual)
    return bool(expected == actual)


def _tensor_difference(
    expected: torch.Tensor, actual: torch.Tensor, name: str, exact: Any, tolerances: Tolerances
) -> Iterator[str]:
    if expected.dtype != actual.dtype:
        yield f"{name} has dtype {actual.dtype}, not {expected.dtype}"
    elif expected.shape != actual.shape:
        yield f"{name} has shape {tuple(actual.shape)}, not {tuple(expected.shape)}"
    elif expected.dtype not in tolerances:
        wrong = int((expected != actual).sum())
        if wrong:
            yield f"{name} differs in {wrong} of {expected.numel()} elements"
    elif not no_worse(expected, actual, exact):
        yield from _float_difference(expected, actual, name, *tolerances[expected.dtype])


def _float_difference(
    expected: torch.Tensor, actual: torch.Tensor, name: str, relative: float, floor: float
) -> Iterator[str]:
    wide = torch.complex128 if expected.is_complex() else torch.float64
    left, right = expected.to(wide), actual.to(wide)
    finite = left.isfinite()
    scale = left[finite].abs().square().mean().sqrt() if finite.any() else left.new_zeros(()).abs()
    close = (left - right).abs() <= relative * (left.abs() + scale) + floor
    good = (close & finite) | (left == right) | (left.isnan() & right.isnan())
    if bool(good.all()):
        return
    bad = ~good
    new_nan = int((right.isnan() & ~left.isnan()).sum())
    if new_nan:
        yield f"{name} has NaN in {new_nan} of {left.numel()} elements where the original has none"
    else:
        worst = (left - right).abs()[bad].nan_to_num(nan=math.inf, posinf=math.inf).max().item()
        yield f"{name} differs in {int(bad.sum())} of {left.numel()} elements, by up to {worst:.3g}"


def no_worse(expected: torch.Tensor, actual: torch.Tensor, exact: Any) -> bool:
    """Is `actual` about as near to the float64 result `exact` as the eager result `expected` is?

    False also when float64 is no measure: another or an empty shape, NaN, or further from eager than rounding explains.
    """
    is_measure = isinstance(exact, torch.Tensor) and exact.shape == expected.shape and exact.numel()
    if not is_measure or expected.dtype is torch.float64:
        return False
    return _as_small(_errors(actual, exact), _errors(expected, exact), _rms(exact.abs()))


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
    return _as_small(_errors(actual, expected), _errors(again, expected), scale)


def _as_small(ours: torch.Tensor, usual: torch.Tensor, scale: torch.Tensor | float) -> bool:
    """Are errors about as small as the usual ones, which rounding explains where they are below a share of `scale`?"""
    if not bool(ours.isfinite().all() and usual.isfinite().all()) or _rms(usual) > PLAUSIBLE * scale:
        return False
    return bool(_rms(ours) <= FACTOR * _rms(usual) and ours.max() <= FACTOR * usual.max())


def largest(tensors: Iterable[Any]) -> float:
    """The largest root mean square of some tensors."""
    return max((float(_rms(each.double().abs())) for each in tensors if isinstance(each, torch.Tensor)), default=0.0)


def relative_errors(expected: Any, actual: Any, exact: Any) -> tuple[float, float] | None:
    """The largest relative error, root mean square, of eager's and of the compiled outputs; None without a measure."""
    actuals, exacts = dict(leaves(actual, "")), dict(leaves(exact, ""))
    pairs = [
        (float(_rms(_errors(one, true)) / scale), float(_rms(_errors(other, true)) / scale))
        for place, one in leaves(expected, "")
        if place in actuals and place in exacts and _are_measured(one, other := actuals[place], true := exacts[place])
        if (scale := _rms(true.abs())) > 0
    ]
    return (max(eager for eager, _ in pairs), max(compiled for _, compiled in pairs)) if pairs else None


def _are_measured(*three: Any) -> bool:
    """Are they finite floats of one shape?"""
    if not all(isinstance(each, torch.Tensor) and each.shape == three[0].shape for each in three):
        return False
    return three[0].is_floating_point() and three[0].numel() > 0 and all(bool(t.isfinite().all()) for t in three)


def leaves(record: Any, place: str) -> Iterator[tuple[str, Any]]:
    """What the containers of a record hold, by place."""
    if isinstance(record, dict | list):
        for key, item in record.items() if isinstance(record, dict) else enumerate(record):
            yield from leaves(item, f"{place}[{key!r}]")
    else:
        yield place, record


def _errors(value: torch.Tensor, exact: torch.Tensor) -> torch.Tensor:
    wide = torch.complex128 if value.is_complex() else torch.float64
    return (value.to(wide) - exact.to(wide)).abs()


def _rms(values: torch.Tensor) -> torch.Tensor:
    return values.square().mean().sqrt() if values.numel() else values.new_zeros(())
