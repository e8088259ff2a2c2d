"""Two reports side by side: what got slower, what got faster, which verdicts changed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from breaklint.errors import UsageError
from breaklint.verify.judge.results import Speedup, TargetReport, Verdict, VerifyReport

HARDWARE = ("device", "cpus")
VERSIONS = ("torch", "triton", "python", "cuda", "driver")
WORSE_FROM_HERE = (Verdict.CONFIRMED, Verdict.CORRECT, Verdict.CLEAN, Verdict.NOT_FASTER)
RESAMPLES, CONFIDENCE = 2000, 0.95
FLOOR = 0.02
"""Machines differ by this much from one day to the next, even where a run in itself is quieter."""


@dataclass(frozen=True, slots=True)
class Change:
    """One difference; `worse` ones fail a comparison."""

    target: str
    what: str
    worse: bool


def compare(old: VerifyReport, new: VerifyReport, any_hardware: bool = False) -> list[Change]:
    """The changes from `old` to `new` in the targets that both have, and the targets that only one has.

    Raises:
        UsageError: they come from different hardware or were made with different options, and it was not allowed.
    """
    if not any_hardware:
        _same(old.environment, new.environment, HARDWARE, "were measured on different hardware")
        _same(old.options, new.options, sorted({*old.options, *new.options}), "were made with different options")
    before = {target.target: target for target in old.targets}
    after = {target.target: target for target in new.targets}
    changes = [Change(name, "only in the first", False) for name in before if name not in after]
    changes += [Change(name, "only in the second", False) for name in after if name not in before]
    for name in after:
        if name in before:
            changes += _changes(before[name], after[name])
    return changes


def version_changes(old: VerifyReport, new: VerifyReport) -> list[str]:
    """Software that differs between the two, one line each."""
    pairs = [(name, old.environment.get(name), new.environment.get(name)) for name in VERSIONS]
    return [f"{name}: {one} → {other}" for name, one, other in pairs if one != other]


def _same(one: dict[str, object], other: dict[str, object], names: Sequence[str], problem: str) -> None:
    for name in names:
        if one.get(name) != other.get(name):
            told = f"{name}: {one.get(name)} and {other.get(name)}"
            raise UsageError(f"the reports {problem} ({told}); give --any-hardware to compare them all the same")


def _changes(old: TargetReport, new: TargetReport) -> Iterator[Change]:
    if old.verdict is not new.verdict:
        worse = old.verdict in WORSE_FROM_HERE and new.verdict not in WORSE_FROM_HERE
        yield Change(new.target, f"{old.verdict.value} → {new.verdict.value}: {new.why}", worse)
    noise = max(FLOOR, old.noise or 0.0, new.noise or 0.0)
    for name in new.arms:
        if name not in old.arms:
            continue
        ratio = unpaired(old.arms[name].samples_ms, new.arms[name].samples_ms)
        if ratio is None or (ratio.interval[0] <= 1 + noise and ratio.interval[1] >= 1 - noise):
            continue
        slower = ratio.ratio < 1
        times = f"{old.arms[name].median_ms:.4g} → {new.arms[name].median_ms:.4g} ms"
        factor = 1 / ratio.ratio if slower else ratio.ratio
        yield Change(new.target, f"{name}: {factor:.2f}× {'slower' if slower else 'faster'}, {times}", slower)


def unpaired(old: Sequence[float], new: Sequence[float]) -> Speedup | None:
    """How many times faster `new` is, with a bootstrap interval; the series are independent. None without samples."""
    if not old or not new:
        return None
    draw = random.Random(0)

    def again(samples: Sequence[float]) -> float:
        return median(draw.choices(samples, k=len(samples)))

    ratios = sorted(again(old) / again(new) for _ in range(RESAMPLES))
    outside = int(RESAMPLES * (1 - CONFIDENCE) / 2)
    return Speedup(median(old) / median(new), (ratios[outside], ratios[-1 - outside]))
