"""The results of the arms of a target, and the samples of their calls."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import ceil, nan
from statistics import median
from typing import Any

from breaklint.verify.host.arm_process import ArmError, Worker
from breaklint.verify.host.devices import Place
from breaklint.verify.judge import bench
from breaklint.verify.judge.bench import Speedup
from breaklint.verify.judge.results import ArmReport, BranchReport, Retiming
from breaklint.verify.judge.settling import RETIME_S, is_open, take_rounds
from breaklint.verify.judge.verdict import ReferenceProblems
from breaklint.verify.options import VerifyOptions

CONTROL = "control"


@dataclass
class Measurements:
    """The results of the arms of a target; `samples` also has the second series of `before`, under `CONTROL`."""

    arms: dict[str, ArmReport] = field(default_factory=dict)
    samples: dict[str, list[float]] = field(default_factory=dict)
    problems: ReferenceProblems = field(default_factory=ReferenceProblems)
    environment: dict[str, Any] = field(default_factory=dict)
    branches: list[BranchReport] = field(default_factory=list)
    retiming: Retiming | None = None

    def speedup(self, base: str, candidate: str) -> Speedup | None:
        """How many times faster `candidate` is than `base`, if both were timed."""
        names = (base, candidate)
        if any(map(self.failed, names)) or not self.samples.keys() >= {*names}:
            return None
        return bench.speedup(self.samples[base], self.samples[candidate])

    def noise(self) -> float | None:
        """The deviation of the arm `before` from itself: 0.1 for 10 %; None if it was not timed."""
        return bench.noise(self.speedup("before", CONTROL))

    def failed(self, name: str) -> bool:
        """Whether this arm ended early."""
        return name in self.arms and self.arms[name].error is not None

    def fail(self, name: str, error: ArmError) -> None:
        """Record the error of this arm, which has no further results."""
        self.arms[name] = replace(self.arms.get(name, ArmReport()), error=error.failure)


class Timer:
    """Takes samples of all arms that work, which have the device for themselves."""

    def __init__(
        self,
        measured: Measurements,
        workers: Mapping[str, Worker],
        arms: Sequence[str],
        options: VerifyOptions,
        place: Place,
        on_cuda: bool,
    ) -> None:
        self._measured, self._workers, self._arms, self._options = measured, workers, arms, options
        threads = max(1, int(measured.environment.get("threads") or 1))
        self._gather = partial(place.gather, threads=threads, on_cuda=on_cuda)
        self._order, self._place = random.Random(0), place

    def run(self) -> None:
        """Take samples until they decide, or time is up."""
        rounds, measured = self._options.rounds, self._measured
        measured.retiming = take_rounds(
            self.take, self._is_open, self._start_over, rounds, time.perf_counter, budget_s=RETIME_S
        )

    def _start_over(self) -> None:
        self._place.stop_others()
        self._measured.samples = {}

    def take(self, rounds: int) -> None:
        """Take more interleaved samples of every arm."""
        arms = self._measured.arms
        samplers = {name: self._sampler(name) for name in self._arms if not self._measured.failed(name)}
        if "before" in samplers:
            samplers[CONTROL] = self._sampler("before")
        earlier = self._measured.samples
        new_samples = bench.interleave(samplers, rounds, self._order, self._gather)
        self._measured.samples = {name: earlier.get(name, []) + more for name, more in new_samples.items()}
        for name, samples in self._measured.samples.items():
            if name in arms and not self._measured.failed(name):
                arms[name] = self._timed(name, samples)

    def _is_open(self, doubt: float = 1.0) -> bool:
        measured = self._measured
        speeds = {name: measured.speedup("before", name) for name in measured.arms if name != "eager"}
        return is_open(measured.arms, measured.problems, speeds, measured.noise(), self._options, doubt)

    def _timed(self, name: str, samples: list[float]) -> ArmReport:
        arm = replace(self._measured.arms[name], samples_ms=tuple(samples), median_ms=median(samples))
        eager_ms = self._measured.arms["eager"].median_ms  # which is the first of them
        if name != "eager" and arm.compile_s is not None and eager_ms and arm.median_ms:
            saved_s = (eager_ms - arm.median_ms) / 1000
            arm = replace(arm, break_even_calls=ceil(arm.compile_s / saved_s) if saved_s > 0 else None)
        return arm

    def _sampler(self, name: str) -> bench.Sampler:
        def sample() -> float:
            if self._measured.failed(name):
                return nan
            try:
                return float(self._workers[name].ask("round")["ms"])
            except ArmError as error:
                self._measured.fail(name, error)
                return nan

        return sample
