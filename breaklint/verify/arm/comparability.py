"""Can equal results tell a right model from a wrong one, and what of them is compared of a call in other dtypes?

Results that are NaN or always the same tell nothing. In other dtypes, rounding makes of values what it likes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import torch

from breaklint.verify.arm.accuracy import Record, compare, leaves
from breaklint.verify.arm.snapshot import UNREAD

INPUTS = "give it other inputs"
IN_HALF, AUTOCAST = "in float16", "under autocast"


def incomparable(records: Sequence[Record]) -> str:
    """Why the results in these records of one model prove nothing; "" where they do."""
    outputs = [output for record in records for output in _outputs(record)]
    if not outputs:
        return ""
    if unread := next(_unread(outputs[0], "output"), ""):
        return f"{unread}, which cannot be compared"
    by_place = [tensors_by_place(output) for output in outputs]
    for place in by_place[0]:
        if all(_only_nan(tensors[place]) for tensors in by_place if place in tensors):
            return f"{place} is NaN in every element, which any wrong result may be as well; {INPUTS}"
    if any(_varies(tensor) for tensors in by_place for tensor in tensors.values()):
        return ""
    if any(_is_number(leaf) for output in outputs for _, leaf in leaves(output, "")):
        return ""
    like = [
        output for output, tensors in zip(outputs, by_place, strict=True) if _shapes(tensors) == _shapes(by_place[0])
    ]
    if any(compare(like[0], other, "output") for other in like[1:]) or _differ(by_place):
        return ""
    if not any(by_place):
        return "it returns no tensor and no number, so that no result can be compared"
    return f"every element of its outputs is the same with all inputs that were tried; {INPUTS}"


def tensors_by_place(output: Any) -> dict[str, torch.Tensor]:
    """The tensors of an output that have elements."""
    return {place: leaf for place, leaf in leaves(output, "output") if isinstance(leaf, torch.Tensor) and leaf.numel()}


def dtypes(output: Any) -> dict[str, str]:
    """The dtype of every tensor in an output, by place."""
    return {place: str(tensor.dtype) for place, tensor in tensors_by_place(output).items()}


def _outputs(record: Record) -> Iterator[Any]:
    for each in (record, record.get("again", {})):
        if "output" in each:
            yield each["output"]


def _unread(output: Any, place: str) -> Iterator[str]:
    """What no record holds, by place; the fields of objects may well have functions."""
    if isinstance(output, dict) and UNREAD in output:
        yield f"{place} is a {output[UNREAD]}"
    elif isinstance(output, dict | list) and not (isinstance(output, dict) and "class" in output):
        for key, item in output.items() if isinstance(output, dict) else enumerate(output):
            yield from _unread(item, f"{place}[{key!r}]")


def _only_nan(tensor: torch.Tensor) -> bool:
    return bool(tensor.isnan().all())


def _varies(tensor: torch.Tensor) -> bool:
    """Has it two elements that differ, or, being a single float, a value that no constant is likely to have?"""
    if tensor.numel() == 1:
        return tensor.is_floating_point() and not _only_nan(tensor) and bool(tensor.reshape(()) != 0)
    first = tensor.reshape(-1)[0]
    return bool(((tensor != first) & ~(tensor.isnan() & first.isnan())).any())


def _shapes(tensors: dict[str, torch.Tensor]) -> dict[str, torch.Size]:
    return {place: tensor.shape for place, tensor in tensors.items()}


def _differ(by_place: Sequence[dict[str, torch.Tensor]]) -> bool:
    """Whether the one value of each tensor differs between outputs: their shapes follow those of the inputs anyway."""
    firsts = [{place: tensor.reshape(-1)[:1] for place, tensor in tensors.items()} for tensors in by_place if tensors]
    return any(
        compare(firsts[0][place], other[place], "") for other in firsts[1:] for place in firsts[0] if place in other
    )


def _is_number(leaf: Any) -> bool:
    return isinstance(leaf, int | float | complex) and not isinstance(leaf, bool) and leaf == leaf


def low_precision_record(seen: Record) -> Record:
    """The dtypes of a call's outputs, where they are finite, and what it raises."""
    output = seen.get("output")
    finite = {place: bool(value.isfinite().all()) for place, value in tensors_by_place(output).items()}
    return {"dtypes": dtypes(output), "finite": finite} | {k: seen[k] for k in seen if k == "exception"}


def low_precision_differences(expected: dict[str, Record], actual: dict[str, Record]) -> list[str]:
    """What raises, or is not finite any more, in float16 or under autocast, or no longer keeps to float16."""
    for name, own in expected.items():
        new = actual.get(name, {"exception": ""})
        if "exception" in own or not new.get("exception", "."):
            continue
        if "exception" in new:
            return [f"{name}: it raises {new['exception'].splitlines()[0]}"]
        kept = {place: dtype for place, dtype in own["dtypes"].items() if dtype == "torch.float16"}
        lines = compare(kept, {place: new["dtypes"].get(place) for place in kept}, "result.dtypes")
        lost = (place for place, was in own["finite"].items() if was and not new["finite"].get(place, True))
        if lines := [*lines, *(f"result.{place} is not finite any more" for place in lost)]:
            return [f"{name}: {line}" for line in lines]
    return []


def autocast_notes(expected: dict[str, Record], actual: dict[str, Record]) -> list[str]:
    """Other dtypes under autocast, which many a right rewrite has: a sum over rows for a loop that adds them."""
    own, new = (side.get(AUTOCAST, {}) for side in (expected, actual))
    lines = [] if "exception" in {**own, **new} else compare(own.get("dtypes"), new.get("dtypes"), "result.dtypes")
    return [f"{AUTOCAST}: {line}" for line in lines]


def float64_differences(own: Record | None, actual: Any) -> list[str]:
    """What raises, or has another dtype, in float64: code that only knows the dtype of the given call."""
    if own is None or actual is None:
        return []
    if "exception" in actual:
        return [f"in float64: it raises {actual['exception'].splitlines()[0]}"]
    lines = compare(dtypes(own["output"]), dtypes(actual["output"]), "result.output dtypes")
    return [f"in float64: {line}" for line in lines]
