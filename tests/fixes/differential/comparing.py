"""In what two records of a call differ, as kinds of difference with a text each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import torch

from differential.observing import Record, Seen

TOLERANCE = {torch.float16: 4e-3, torch.bfloat16: 3e-2, torch.float32: 1e-4, torch.complex64: 1e-4}

INTEGER = {"value": "integer-value", "gradient": "integer-gradient"}


class Difference(NamedTuple):
    """`kind` is what a fix may be allowed, `text` what a person reads.

    Of values: type, dtype, shape, stride, rounding, coarse-rounding (of a narrower dtype), not-finite, value (or
    integer-value, where no input is floating);
    requires-grad, alias. Of gradients: gradient-zeros (where there was none), gradient-rounding,
    gradient-coarse-rounding, gradient-not-finite, gradient. Of errors: raises (and did not), silent (and raised), error
    (another one), late (another one in backward). Of the rest: effect (on inputs, state or random numbers, more than
    rounding), printed, logged, progress, warned, quiet (a warning is gone).
    """

    kind: str
    text: str


def differences(before: Record, after: Record) -> list[Difference]:
    """Every difference; after one in what is raised, what follows is not compared."""
    result = list(_differences(before, after))
    if not before.after or not any(
        isinstance(seen, Seen) and seen.dtype.is_floating_point for seen in before.after[0][1]
    ):
        result = [Difference(INTEGER.get(kind, kind), text) for kind, text in result]
    return result


def _differences(before: Record, after: Record) -> Iterator[Difference]:
    yield from _told(before, after)
    if before.error != after.error:
        kind = "raises" if before.error is None else "silent" if after.error is None else "error"
        yield Difference(kind, f"{before.error} became {after.error}")
        return
    yield from _compared(before.output, after.output, "output")
    for place, (one, other) in enumerate(zip(before.after, after.after, strict=True)):
        for result in _compared(one, other, ("input", "buffer", "attribute", "global")[place]):
            yield Difference(result.kind if "rounding" in result.kind else "effect", result.text)
    if before.generators != after.generators:
        yield Difference("effect", "the state of a random generator differs")
    if before.aliases != after.aliases:
        yield Difference("alias", f"{sorted(before.aliases)} became {sorted(after.aliases)}")
    if before.late != after.late:
        yield Difference("late", f"backward: {before.late} became {after.late}")
        return
    for place, (one, other) in enumerate(zip(before.gradients, after.gradients, strict=True)):
        yield from _gradient(one, other, f"gradient {place}")


def _told(before: Record, after: Record) -> Iterator[Difference]:
    for channel in before.told.keys() | after.told.keys():
        one, other = before.told.get(channel), after.told.get(channel)
        if one != other:
            fewer = channel == "warned" and set(other or ()) < set(one or ())
            yield Difference("quiet" if fewer else channel, f"{channel}: {one!r} became {other!r}")


def _compared(one: Any, other: Any, name: str) -> Iterator[Difference]:
    if isinstance(one, Seen) and isinstance(other, Seen):
        yield from _tensors(one, other, name)
    elif type(one) is not type(other):
        yield Difference("type", f"{name}: {one!r} became {other!r}")
    elif isinstance(one, dict):
        if one.keys() != other.keys():
            yield Difference("type", f"{name}: {sorted(one)} became {sorted(other)}")
        for key in one.keys() & other.keys():
            yield from _compared(one[key], other[key], f"{name}.{key}")
    elif isinstance(one, (list, tuple)):
        if len(one) != len(other):
            yield Difference("type", f"{name}: {len(one)} items became {len(other)}")
        for place, (left, right) in enumerate(zip(one, other, strict=False)):
            yield from _compared(left, right, f"{name}[{place}]")
    elif repr(one) != repr(other):
        yield Difference("value", f"{name}: {one!r} became {other!r}")


def _tensors(one: Seen, other: Seen, name: str) -> Iterator[Difference]:
    if one.kind is not other.kind:
        yield Difference("type", f"{name}: {one.kind.__name__} became {other.kind.__name__}")
    if (one.requires_grad, one.leaf) != (other.requires_grad, other.leaf):
        was, now = (f"requires_grad={item.requires_grad}, is_leaf={item.leaf}" for item in (one, other))
        yield Difference("requires-grad", f"{name}: {was} became {now}")
    if one.dtype != other.dtype:
        yield Difference("dtype", f"{name}: {one.dtype} became {other.dtype}")
    if one.shape != other.shape:
        yield Difference("shape", f"{name}: {one.shape} became {other.shape}")
        return
    if one.stride != other.stride and one.values.numel() > 1:
        yield Difference("stride", f"{name}: {one.stride} became {other.stride}")
    kind = value_difference(one.values, other.values, signed=True)
    if kind:
        yield Difference(kind, f"{name}: {one.values.tolist()} became {other.values.tolist()}")


def value_difference(one: torch.Tensor, other: torch.Tensor, signed: bool) -> str:
    """ "" when bit for bit the same (NaN is NaN, and unless `signed` -0.0 is 0.0), else which kind of difference."""
    wide = torch.complex128 if one.is_complex() or other.is_complex() else torch.float64
    left, right = one.to(wide), other.to(wide)
    same = (left == right) | (left.isnan() & right.isnan())
    if wide == torch.float64 and signed:
        same &= (left.signbit() == right.signbit()) | left.isnan()
    if bool(same.all()):
        return ""
    finite = left.isfinite() & right.isfinite()
    if bool((~same & ~finite).any()):
        return "not-finite"
    scale = left[finite].abs().max() if finite.any() else left.abs().sum()
    tolerance = max(TOLERANCE.get(one.dtype, 1e-9), TOLERANCE.get(other.dtype, 1e-9))
    for kind, allowed in (("rounding", tolerance), ("coarse-rounding", 1e-2)):
        close = (left - right).abs() <= allowed * (left.abs() + scale) + 1e-12
        if bool((close | same).all()):
            return kind
    return "value"


def _gradient(one: Seen | None, other: Seen | None, name: str) -> Iterator[Difference]:
    if one is None or other is None:
        if one is not other:
            given = one or other
            assert given is not None
            empty = not bool((given.values != 0).any())
            kind = "gradient-zeros" if empty and one is None else "gradient"
            yield Difference(kind, f"{name}: {one and one.values.tolist()} became {other and other.values.tolist()}")
    elif (one.dtype, one.shape) != (other.dtype, other.shape):
        yield Difference("gradient", f"{name}: {one.dtype} {one.shape} became {other.dtype} {other.shape}")
    else:
        kind = value_difference(one.values, other.values, signed=False)
        if kind:
            kind = "gradient" if kind == "value" else f"gradient-{kind}"
            yield Difference(kind, f"{name}: {one.values.tolist()} became {other.values.tolist()}")
