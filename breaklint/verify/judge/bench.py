"""Interleaved timing samples, and what can be concluded from them."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from math import comb
from statistics import median

from breaklint.verify.judge.results import Speedup

__all__ = ["FEWEST", "MUCH_NOISE", "Sampler", "Speedup", "interleave", "noise", "speedup"]

Sampler = Callable[[], float]
BEYOND = 0.025
"""How probable it is at most that a ratio lies below its interval, and above it."""
FALSE_CLAIM = 0.001
"""How probable it is at most that it lies below `Speedup.at_least`, by which a gain is claimed, at each look."""
FEWEST = 10
"""With fewer rounds nothing is that improbable: nine of equal arms are all in favour of one in one of 512 cases."""
MUCH_NOISE = 0.25
"""How far an arm may deviate from itself before nothing can be confirmed any more."""


def interleave(
    samplers: Mapping[str, Sampler],
    rounds: int,
    draw: random.Random,
    gather: Callable[[random.Random], None] = lambda draw: None,
) -> dict[str, list[float]]:
    """Take a sample of every arm in each round, in an order that is drawn for the round, on cores that `gather` draws.

    Whatever else the machine does, and however long or regularly, then disturbs two equal arms with equal probability.
    """
    samples: dict[str, list[float]] = {name: [] for name in samplers}
    for _ in range(rounds):
        gather(draw)
        for name in draw.sample(list(samplers), len(samplers)):
            samples[name].append(samplers[name]())
    return samples


def speedup(base: Sequence[float], candidate: Sequence[float]) -> Speedup | None:
    """How many times faster `candidate` is: the median of the ratios of single rounds; None without samples.

    The ends of its interval are ratios of rounds, by the sign test: it rests on nothing but the order of the arms in a
    round, which is drawn. Samples may drift, come in bursts, have two modes or depend on each other.
    """
    ratios = sorted(one / other for one, other in zip(base, candidate, strict=False))
    if not ratios:
        return None
    outside = max(0, _outside(len(ratios), BEYOND))
    least = _outside(len(ratios), FALSE_CLAIM)
    return Speedup(median(ratios), (ratios[outside], ratios[-1 - outside]), ratios[least] if least >= 0 else 0.0)


def _outside(rounds: int, probability: float) -> int:
    """The most that `rounds` throws of a coin show heads with no more than this probability; -1: not even none."""
    cases, most = 0, -1
    while (cases := cases + comb(rounds, most + 1)) <= probability * 2**rounds:
        most += 1
    return most


def noise(control: Speedup | None) -> float | None:
    """How far the interval of an arm against itself deviates from 1."""
    if control is None:
        return None
    low, high = control.interval
    return max(abs(low - 1), abs(high - 1))
