"""What the arms of a target gave, and their timing."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import ceil, nan
from statistics import median
from typing import Any

from breaklint.verify.host.workers import ArmError, Worker
from breaklint.verify.judge import bench
from breaklint.verify.judge.gate_results import BranchReport
from breaklint.verify.judge.results import ArmReport, Speedup

CONTROL = "control"
OVERHEAD_MS = 20.0
"""What goes on around the calls of one sample: asking for it, and collecting garbage before."""
_speedup = lru_cache(maxsize=32)(bench.speedup)  # requested again and again: while timing, and in the report


@dataclass
class Measurements:
    """What the arms gave. `samples` also holds the second series of the arm `before` under `CONTROL`.

    `unstable` lists how two equal calls of the uncompiled model differ, `untold` is why equal results would prove
    nothing ("" where they do).
    """

    arms: dict[str, ArmReport] = field(default_factory=dict)
    samples: dict[str, list[float]] = field(default_factory=dict)
    unstable: list[str] = field(default_factory=list)
    untold: str = ""
    environment: dict[str, Any] = field(default_factory=dict)
    branches: list[BranchReport] = field(default_factory=list)

    def speedup(self, base: str, candidate: str, seed: int) -> Speedup | None:
        """How many times faster `candidate` is than `base`, where both were timed."""
        failed = any(name in self.arms and self.arms[name].error for name in (base, candidate))
        if failed or base not in self.samples or candidate not in self.samples:
            return None
        return _speedup(tuple(self.samples[base]), tuple(self.samples[candidate]), seed)

    def noise(self, seed: int) -> float | None:
        """How far the arm `before` strays from itself: 0.1 for 10 %; None where it was not timed."""
        return bench.noise(self.speedup("before", CONTROL, seed))

    def failed(self, name: str) -> bool:
        """Did this arm end early?"""
        return self.arms[name].error is not None

    def works(self, name: str) -> bool:
        """Did it not?"""
        return not self.failed(name)

    def guarded(self, name: str, action: Callable[[str], ArmReport]) -> None:
        """Take over the arm's report from `action`, or why it gave none."""
        try:
            self.arms[name] = action(name)
        except ArmError as error:
            self.arms[name] = replace(self.arms.get(name, ArmReport()), error=error.failure)


class Timer:
    """Takes samples of all arms that work. Nobody else may use the device meanwhile."""

    def __init__(self, measured: Measurements, workers: Mapping[str, Worker], on_cuda: bool) -> None:
        self._measured, self._workers, self._on_cuda = measured, workers, on_cuda
        self._outside: dict[str, list[float]] = defaultdict(list)

    def run(self, rounds: int) -> None:
        """Interleaved samples of the call as given, and on CUDA Triton's own measure beside them."""
        arms = self._measured.arms
        samplers = {name: self._sampler(name) for name in filter(self._measured.works, arms)}
        if "before" in samplers:
            samplers[CONTROL] = self._sampler("before")
        self._measured.samples = bench.interleave(samplers, rounds)
        for name, taken in self._measured.samples.items():
            if name in arms and self._measured.works(name):
                arms[name] = replace(arms[name], samples_ms=tuple(taken), median_ms=median(taken))
        for name in filter(self._measured.works, list(arms)):
            self._measured.guarded(name, self._beside_the_samples)

    def sweep(self) -> None:
        """The time of the further calls that have other sizes."""
        for name in filter(self._measured.works, list(self._measured.arms)):
            self._measured.guarded(name, self._other_sizes)

    def _other_sizes(self, name: str) -> ArmReport:
        return replace(self._measured.arms[name], sweep_ms=self._workers[name].ask("sweep")["ms"])

    def _beside_the_samples(self, name: str) -> ArmReport:
        arm, eager = self._measured.arms[name], self._measured.arms["eager"]
        if name != "eager" and arm.compile_s is not None and eager.median_ms and arm.median_ms:
            saved_s = (eager.median_ms - arm.median_ms) / 1000
            arm = replace(arm, break_even_calls=ceil(arm.compile_s / saved_s) if saved_s > 0 else None)
        if self._outside[name]:
            arm = replace(arm, outside_ms=min(self._outside[name]))
        arm = replace(arm, **self._workers[name].ask("fresh_values"))
        return replace(arm, do_bench_ms=self._workers[name].ask("do_bench")["ms"]) if self._on_cuda else arm

    def _clocks(self, name: str) -> tuple[float, float]:
        """Seconds by this process's clock, and those of processor time that the arm has used, shared among its threads.

        On a busy machine the first goes on while the arm waits; the second, where it can be had, does not.
        """
        passed, used = time.perf_counter(), self._workers[name].processor_s
        return passed, passed if used is None else used / max(1, int(self._measured.environment.get("threads") or 1))

    def _sampler(self, name: str) -> bench.Sampler:
        def sample() -> float:
            if self._measured.failed(name):
                return nan
            try:
                clocks = self._clocks(name)
                told = self._workers[name].ask("round")
                passed_ms = min(1000 * (now - then) for then, now in zip(clocks, self._clocks(name), strict=True))
                self._outside[name].append(max(0.0, passed_ms - OVERHEAD_MS) / max(1, told["calls"]))
                return float(told["ms"])
            except ArmError as error:
                failed = replace(self._measured.arms[name], error=error.failure)
                self._measured.arms[name] = failed
                return nan

        return sample
