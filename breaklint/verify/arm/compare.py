"""Compare two records of calls of a model, with the rounding of the same call in float64.

torch's own benchmarks do so (`same` in torch/_dynamo/utils.py): in low precision two right results may differ by more
than any fixed tolerance.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import torch

from breaklint.verify.arm.record import UNREAD, Record, Values

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
MOST_DIFFERENCES = 5
FACTOR = 3.0
"""How many times eager's error a compiled result's may be."""
PLAUSIBLE = 0.05
"""The largest relative error of eager's that rounding explains; beyond, the model does something else in float64."""
PARTS = ("output", "aliases", "inputs", "state", "random", "again", "again aliases", "gradients")
"""The compared parts of two records. Only records of uncompiled calls have aliases and random states."""
INPUTS = "give it other inputs"


def compare(
    expected: Record, actual: Record, exact: Record | None = None, tf32: bool = False, again: Values | None = None
) -> list[str]:
    """How `actual` differs in the parts that both records have, one line each, at most `MOST_DIFFERENCES`.

    With `exact`, the record in float64, an error as small as eager's is not a difference; with `tf32`, neither is
    rounding to TF32. `again` are the gradients of an equal call, which may differ if kernels add in any order.
    """
    if ("raised" in expected) != ("raised" in actual):
        nothing = f"nothing where the original raises {expected.get('raised')}"
        return [f"it raises {actual.get('raised', nothing)}"]
    return list(islice(_differences(expected, actual, exact or {}, tf32, again or {}), MOST_DIFFERENCES))


def _differences(expected: Record, actual: Record, exact: Record, tf32: bool, again: Values) -> Iterator[str]:
    errors = [_class(record["raised"]) for record in (expected, actual) if "raised" in record]
    if len(set(errors)) == 2:
        yield f"it raises {errors[1]}, not {errors[0]}"
    for part in [part for part in PARTS if part in expected and part in actual]:
        own, new, true = expected[part], actual[part], exact.get(part, {})
        if part.startswith("again") and "raised" in own:  # values that the original refuses
            continue
        if part == "state":  # a rewritten source may keep more
            new = {place: value for place, value in new.items() if place in own}
        if part == "gradients":
            own, new = _alive(own), _alive(new)
            scale = largest(own.values()) if again else 0.0
            new |= {name: own[name] for name in own.keys() & new.keys() & again.keys()
                    if _swings(new[name], own[name], again[name], scale)}  # fmt: skip
        for line in differences(own, new, true, tf32):
            yield f"in a second call on other values, {line}" if part.startswith("again") else line


def differences(expected: Values, actual: Values, exact: Values, tf32: bool = False) -> Iterator[str]:
    """How values differ, by place."""
    for place in dict.fromkeys([*actual, *expected]):
        if place not in expected or place not in actual:
            yield f"{place} is {'new' if place not in expected else 'gone'}"
        elif isinstance(expected[place], torch.Tensor) and isinstance(actual[place], torch.Tensor):
            yield from _of_tensors(
                expected[place], actual[place], place, exact.get(place), _TF32 if tf32 else _TOLERANCES
            )
        elif not _same_plain(expected[place], actual[place]):
            yield f"{place} is {_text(actual[place])}, not {_text(expected[place])}"


def _of_tensors(expected: torch.Tensor, actual: torch.Tensor, place: str, exact: Any, tolerances: Any) -> Iterator[str]:
    if expected.dtype != actual.dtype:
        yield f"{place} has dtype {actual.dtype}, not {expected.dtype}"
    elif expected.shape != actual.shape:
        yield f"{place} has shape {tuple(actual.shape)}, not {tuple(expected.shape)}"
    elif torch.equal(expected, actual):
        return
    elif expected.dtype not in tolerances:
        if wrong := int((expected != actual).sum()):
            yield f"{place} differs in {wrong} of {expected.numel()} elements"
    elif not no_worse(expected, actual, exact):
        yield from _of_floats(expected, actual, place, *tolerances[expected.dtype])


def _of_floats(
    expected: torch.Tensor, actual: torch.Tensor, place: str, relative: float, floor: float
) -> Iterator[str]:
    left, right = _wide(expected), _wide(actual)
    finite = left[left.isfinite()].abs()
    near = relative * float(_rms(finite)) + floor
    wrong = ~torch.isclose(right, left, rtol=relative, atol=near, equal_nan=True)
    if not bool(wrong.any()):
        return
    if new_nan := int((right.isnan() & ~left.isnan()).sum()):
        yield f"{place} has NaN in {new_nan} of {left.numel()} elements where the original has none"
    else:
        worst = (left - right).abs()[wrong].nan_to_num(nan=math.inf, posinf=math.inf).max().item()
        yield f"{place} differs in {int(wrong.sum())} of {left.numel()} elements, by up to {worst:.3g}"


def _same_plain(expected: Any, actual: Any) -> bool:
    if type(expected) is not type(actual):
        return False
    if isinstance(expected, float):
        both_nan = expected != expected and actual != actual
        return bool(both_nan or expected == actual or abs(expected - actual) <= 1e-4 * abs(expected) + 1e-6)
    return bool(expected == actual)


def _text(value: Any) -> str:
    return "a tensor" if isinstance(value, torch.Tensor) else repr(value)


def _class(error: str) -> str:
    return error.partition(":")[0]


def _alive(gradients: Values) -> Values:
    """Those that are neither None nor zeros: both train alike, weight decay aside."""
    return {name: g for name, g in gradients.items() if not isinstance(g, torch.Tensor | None) or _is_alive(g)}


def _is_alive(gradient: torch.Tensor | None) -> bool:
    return gradient is not None and bool((gradient != 0).any())


def no_worse(expected: torch.Tensor, actual: torch.Tensor, exact: Any) -> bool:
    """Whether `actual` is about as near to the float64 result `exact` as the eager result `expected`."""
    is_measure = isinstance(exact, torch.Tensor) and exact.shape == expected.shape and exact.numel()
    if not is_measure or expected.dtype is torch.float64:
        return False
    return _as_small(_errors(actual, exact), _errors(expected, exact), float(_rms(exact.abs())))


def _swings(actual: Any, expected: Any, again: Any, scale: float) -> bool:
    """Whether a gradient is about as near to `expected` as that of an equal call.

    A gradient that has to be zero is nothing but rounding, so that `scale` is the size of the largest gradient.
    """
    three = (actual, expected, again)
    if not all(isinstance(grad, torch.Tensor) and grad.is_floating_point() and grad.numel() for grad in three):
        return False
    if len({(grad.shape, grad.dtype) for grad in three}) > 1:
        return False
    return _as_small(_errors(actual, expected), _errors(again, expected), scale)


def _as_small(ours: torch.Tensor, usual: torch.Tensor, scale: float) -> bool:
    """Whether errors are about as small as the usual ones, which are rounding if they are below a share of `scale`."""
    if not bool(ours.isfinite().all() and usual.isfinite().all()) or _rms(usual) > PLAUSIBLE * scale:
        return False
    return bool(_rms(ours) <= FACTOR * _rms(usual) and ours.max() <= FACTOR * usual.max())


def largest(tensors: Iterable[Any]) -> float:
    """The largest root mean square of some tensors."""
    return max((float(_rms(_wide(v).abs())) for v in tensors if isinstance(v, torch.Tensor)), default=0.0)


def incomparable(outputs: Sequence[Values]) -> str:
    """Why these outputs of one model prove nothing, if so: they are NaN, or the same for all inputs."""
    if not outputs:
        return ""
    first = outputs[0]
    for place, value in first.items():
        if isinstance(value, str) and value.startswith(UNREAD) and "." not in place:
            return f"{place} is {value.removeprefix(UNREAD)}, which cannot be compared"
    tensors = [{at: v for at, v in out.items() if isinstance(v, torch.Tensor) and v.numel()} for out in outputs]
    for place in tensors[0]:
        if all(bool(out[place].isnan().all()) for out in tensors if place in out):
            return f"{place} is NaN in every element, which any wrong result may be as well; {INPUTS}"
    numbers = (v for out in outputs for v in out.values() if isinstance(v, int | float) and not isinstance(v, bool))
    if any(_tells(tensor) for out in tensors for tensor in out.values()) or any(v == v for v in numbers):
        return ""
    pairs = [(first[at], other[at]) for other in outputs[1:] for at in first.keys() & other.keys()]
    if any(_first_of(one) != _first_of(other) for one, other in pairs):
        return ""
    if not any(tensors):
        return "it returns no tensor and no number, so that no result can be compared"
    return f"every element of its outputs is the same with all inputs that were tried; {INPUTS}"


def _tells(tensor: torch.Tensor) -> bool:
    """Whether a tensor has two elements that differ, or is a single float that is unlikely to be a constant."""
    if tensor.numel() == 1:
        return tensor.is_floating_point() and bool(tensor.isfinite().all() and tensor.reshape(()) != 0)
    first = tensor.reshape(-1)[0]
    return bool(((tensor != first) & ~(tensor.isnan() & first.isnan())).any())


def _first_of(value: Any) -> Any:
    """A plain value for all equal elements of a tensor."""
    if not isinstance(value, torch.Tensor):
        return value
    return value.reshape(-1)[0].nan_to_num().item() if value.numel() else None


def _errors(value: torch.Tensor, exact: torch.Tensor) -> torch.Tensor:
    return (_wide(value) - _wide(exact)).abs()


def _wide(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.to(torch.complex128 if tensor.is_complex() else torch.float64)


def _rms(values: torch.Tensor) -> torch.Tensor:
    return values.square().mean().sqrt() if values.numel() else values.new_zeros(())
