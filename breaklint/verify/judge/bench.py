"""Interleaved timing samples, and conclusions from them."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from statistics import median

from breaklint.verify.judge.results import Interval, Verdict
from breaklint.verify.options import VerifyOptions

Sampler = Callable[[], float]
INTERVAL_TAIL = 0.025
"""How probable it is at most that a ratio lies below its interval, and above it."""
FALSE_CLAIM = 0.001
"""How probable it is at most that it lies below `Speedup.at_least`, by which a gain is claimed, at each look."""
FEWEST = 10
"""With fewer rounds nothing is that improbable: nine of equal arms are all in favour of one in one of 512 cases."""
MUCH_NOISE = 0.25
"""How far an arm may deviate from itself before nothing can be confirmed any more."""
Judgement = tuple[Verdict, str]
PROCESSES_APART = 0.05
"""How far processes that run one and the same program may be apart on one core: 1.01 to 1.05 times on an H200."""
SOME_NOISE = 0.10
"""How far an arm may deviate from itself where the verdict is `not-faster`; for `confirmed` it is `MUCH_NOISE`."""
NOT_WORTH_COMPILING = 0.95
"""Below this share of eager's speed, compiling a model that has nothing to fix is called not worth it."""


@dataclass(frozen=True, slots=True)
class Speedup:
    """How many times faster a candidate is than its base, its 95 % interval, and the ratio that it has beyond doubt.

    Without other knowledge that is the lower end of the interval.
    """

    ratio: float
    interval: Interval
    beyond_doubt: float | None = None

    def __str__(self) -> str:
        """As reports show it."""
        return f"{self.ratio:.2f}× [{self.interval[0]:.2f}, {self.interval[1]:.2f}]"

    @property
    def at_least(self) -> float:
        """The ratio by which a gain may be claimed."""
        return self.interval[0] if self.beyond_doubt is None else self.beyond_doubt


def interleave(
    samplers: Mapping[str, Sampler],
    rounds: int,
    draw: random.Random,
    gather: Callable[[random.Random], None] = lambda draw: None,
) -> dict[str, list[float]]:
    """Take a sample of every arm in each round, in a random order, on cores that `gather` draws.

    A disturbance then hits two equal arms with equal probability.
    """
    samples: dict[str, list[float]] = {name: [] for name in samplers}
    for _ in range(rounds):
        gather(draw)
        for name in draw.sample(list(samplers), len(samplers)):
            samples[name].append(samplers[name]())
    return samples


def speedup(base: Sequence[float], candidate: Sequence[float]) -> Speedup | None:
    """How many times faster `candidate` is: the median of the ratios of single rounds; None without samples.

    The interval is that of the sign test: it rests on nothing but the random order of arms in a round.
    """
    ratios = sorted(one / other for one, other in zip(base, candidate, strict=False))
    if not ratios:
        return None
    outside = max(0, _outside(len(ratios), INTERVAL_TAIL))
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


def judge_speed(evidence: str, speed: Speedup | None, noise: float | None, min_speedup: float | None) -> Judgement:
    """Faster only if that is beyond doubt, and by more than the noise and the difference of equal processes.

    A gain that is not certain, or that a noisy machine hides, is inconclusive.
    """
    if speed is None or noise is None:
        return Verdict.INCONCLUSIVE, f"{evidence}, but nothing was timed"
    low, high = speed.interval
    floor = 1 + (min_speedup or 0.0)
    unsure = max(noise, (high - low) / 2 / speed.ratio)
    is_clear = speed.at_least > 1 + noise or (speed.ratio > 1 + noise and unsure <= MUCH_NOISE)
    if speed.at_least > floor and low > 1 + PROCESSES_APART and is_clear:
        return Verdict.CONFIRMED, f"{evidence}, {speed} faster"
    beyond_noise = high * (1 + unsure) < floor
    seems_faster = speed.ratio > floor * (1 + max(noise, PROCESSES_APART))
    if seems_faster or (not beyond_noise and unsure > (SOME_NOISE if high >= floor else MUCH_NOISE)):
        return Verdict.INCONCLUSIVE, f"{evidence}, but {speed} is lost in the noise (±{unsure:.0%})"
    if low > floor:
        shortfall = f"not faster by more than equal processes differ ({1 + PROCESSES_APART:.2f}×)"
    elif high < floor:
        shortfall = f"not faster than the {floor:.2f}× requested" if min_speedup else "slower"
    else:
        shortfall = f"a speedup of {floor:.2f}× was not shown" if min_speedup else "no difference in speed was shown"
    return Verdict.NOT_FASTER, f"{evidence}, but {shortfall}: {speed}"


def judge_clean(speed: Speedup | None, noise: float | None, options: VerifyOptions) -> Judgement:
    """Nothing to fix, whether or not compiling pays, which is a note."""
    if speed is None or noise is None:
        return Verdict.CLEAN, "nothing to fix"
    why = f"nothing to fix; compiled it runs at {speed} of eager's speed"
    is_slower = speed.interval[1] < NOT_WORTH_COMPILING and noise <= MUCH_NOISE and options.backend == "inductor"
    return Verdict.CLEAN, f"{why}: compiling does not pay here" if is_slower else why
