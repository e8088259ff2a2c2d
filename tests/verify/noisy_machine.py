"""A machine on which arms are timed, simulated: what it disturbs, and what verify then concludes."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from functools import partial

from breaklint.verify.host.timing import CONTROL
from breaklint.verify.judge import bench
from breaklint.verify.judge.bench import Speedup, judge_speed
from breaklint.verify.judge.results import Retiming, Verdict
from breaklint.verify.judge.settling import take_rounds, undecided

A_ROUND_S, ROUNDS, BUDGET_S = 0.1, 20, 20.0
judge = partial(judge_speed, "", min_speedup=None)
Slowdowns = Callable[[random.Random], Iterator[float]]
"""How many times as long one sample after the other takes, whichever arm it is of."""


def independent(spread: float) -> Slowdowns:
    """Samples that have nothing to do with each other."""
    return lambda draw: iter(lambda: draw.lognormvariate(0.0, spread), None)


def _drifting(draw: random.Random) -> Iterator[float]:
    slope, level = draw.choice([-0.01, 0.003, 0.01]), 0.0
    while True:
        level += slope
        yield math.exp(level)


def _autocorrelated(draw: random.Random) -> Iterator[float]:
    kept, level = draw.choice([0.95, 1.0]), 0.0
    while True:
        level = kept * level + draw.gauss(0.0, 0.06)
        yield math.exp(level)


def _bursts(draw: random.Random) -> Iterator[float]:
    slower = draw.choice([1.1, 1.3, 2.0])
    while True:
        yield from [1.0] * draw.randint(1, 25)
        yield from [slower] * draw.randint(2, 20)


def _two_modes(draw: random.Random) -> Iterator[float]:
    slower = draw.choice([1.1, 1.3, 2.0])
    return iter(lambda: draw.choice([1.0, slower]), None)


def _periodic(draw: random.Random) -> Iterator[float]:
    slower, period = draw.choice([1.1, 1.3, 2.0]), draw.randint(2, 12)
    at = draw.randrange(period)
    while True:
        at = (at + 1) % period
        yield slower if at < period / 2 else 1.0


def _outliers(draw: random.Random) -> Iterator[float]:
    return iter(lambda: 1 + 0.1 * (draw.paretovariate(1.1) - 1), None)


NOISES: dict[str, Slowdowns] = {
    "quiet": independent(0.01),
    "loud": independent(0.3),
    "drifting": _drifting,
    "autocorrelated": _autocorrelated,
    "bursts": _bursts,
    "two modes": _two_modes,
    "periodic": _periodic,
    "outliers": _outliers,
}


CORES, SLOW_CORES = 8, 2


class Machine:
    """`after` is `gain` times as fast as `before`; `apart` is the spread of what processes differ by themselves.

    Where it has `slow_cores`, a process stays on the core that it was started on, unless all are `gathered` on one.
    """

    def __init__(
        self,
        gain: float,
        noise: Slowdowns,
        seed: int = 0,
        apart: float = 0.0,
        slow_cores: bool = False,
        gathered: bool = True,
    ) -> None:
        draw = random.Random(seed)
        self._slowdowns, self._order = noise(draw), random.Random(seed + 1_000_000)
        self._quiet = independent(0.01)(draw)
        own = {name: draw.lognormvariate(0.0, apart) for name in ("eager", "before", "after")}
        self._ms = {**own, CONTROL: own["before"], "after": own["after"] / gain}
        slower = random.Random(seed + 2_000_000)
        self._cores = [slower.choice([1.1, 1.3, 2.0]) if slow_cores and n < SLOW_CORES else 1.0 for n in range(CORES)]
        self._core_of = {name: slower.randrange(CORES) for name in own}
        self._core_of[CONTROL] = self._core_of["before"]
        self._gathered = gathered and slow_cores
        self.now, self.looks = 0.0, 0
        self.samples: dict[str, list[float]] = {name: [] for name in self._ms}

    def take(self, rounds: int) -> None:
        """Samples of so many rounds."""
        self.now += A_ROUND_S * rounds
        samplers = {name: self._sampler(name) for name in self._ms}
        for name, taken in bench.interleave(samplers, rounds, self._order, self._gather).items():
            self.samples[name] += taken

    def measured(self) -> tuple[Speedup | None, float | None]:
        """The speedup and the noise, by all samples so far."""
        before = self.samples["before"]
        return bench.speedup(before, self.samples["after"]), bench.noise(bench.speedup(before, self.samples[CONTROL]))

    def verdict(self) -> Verdict:
        """What verify says of the samples so far."""
        return judge(*self.measured())[0]

    def is_open(self, doubt: float) -> bool:
        """Do they leave it open?"""
        self.looks += doubt == 1.0
        return undecided(judge, *self.measured(), doubt=doubt)

    def timed(self) -> Verdict:
        """What it says in the end, with every look that it takes at the samples."""
        self.settle(ROUNDS, BUDGET_S)
        return self.verdict()

    def settle(self, rounds: int, budget_s: float) -> Retiming | None:
        """Take as many samples as verify takes."""
        return take_rounds(self.take, self.is_open, self._start_over, rounds, lambda: self.now, budget_s)

    def _start_over(self) -> None:
        self.samples = {name: [] for name in self.samples}

    def _gather(self, draw: random.Random) -> None:
        if self._gathered:
            self._core_of = dict.fromkeys(self._core_of, draw.randrange(CORES))

    def _sampler(self, name: str) -> bench.Sampler:
        slow = self._cores
        return lambda: self._ms[name] * next(self._slowdowns) * next(self._quiet) * slow[self._core_of[name]]
