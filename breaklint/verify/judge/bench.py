"""Interleaved timing samples, and what can be concluded from them."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from statistics import median

from breaklint.verify.judge.results import Speedup

__all__ = ["MUCH_NOISE", "Sampler", "Speedup", "interleave", "noise", "speedup"]

Sampler = Callable[[], float]
RESAMPLES = 2000
CONFIDENCE = 0.95
MUCH_NOISE = 0.25
"""How far an arm may deviate from itself before nothing can be confirmed any more."""


def interleave(samplers: Mapping[str, Sampler], rounds: int) -> dict[str, list[float]]:
    """Take a sample of every arm in each round, starting with another arm each time, so that drift hits all alike."""
    names = list(samplers)
    samples: dict[str, list[float]] = {name: [] for name in names}
    for turn in range(rounds):
        first = turn % len(names) if names else 0
        for name in names[first:] + names[:first]:
            samples[name].append(samplers[name]())
    return samples


def speedup(base: Sequence[float], candidate: Sequence[float], seed: int = 0) -> Speedup | None:
    """How many times faster `candidate` is: ratio of medians, with a percentile bootstrap interval over rounds.

    Rounds are resampled in pairs, for samples of one round share its disturbances. None without samples.
    """
    pairs = list(zip(base, candidate, strict=False))
    if not pairs:
        return None
    draw = random.Random(seed)
    ratios = sorted(_ratio(draw.choices(pairs, k=len(pairs))) for _ in range(RESAMPLES))
    outside = int(RESAMPLES * (1 - CONFIDENCE) / 2)
    return Speedup(_ratio(pairs), (ratios[outside], ratios[-1 - outside]))


def _ratio(pairs: Sequence[tuple[float, float]]) -> float:
    return median(base for base, _ in pairs) / median(candidate for _, candidate in pairs)


def noise(control: Speedup | None) -> float | None:
    """How far the interval of an arm against itself deviates from 1."""
    if control is None:
        return None
    low, high = control.interval
    return max(abs(low - 1), abs(high - 1))
