"""Take samples of a target's arms: half of the rounds where they decide beyond doubt, all of them, or more, alone."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import ceil, nan
from statistics import median

from breaklint.verify.host.measurements import CONTROL, Measurements
from breaklint.verify.host.place import Place
from breaklint.verify.host.workers import ArmError, Worker
from breaklint.verify.judge import bench
from breaklint.verify.judge.results import ArmReport
from breaklint.verify.judge.settling import is_open, rounds_worth, settle, usual_rounds
from breaklint.verify.judge.verdict import ReferenceProblems
from breaklint.verify.options import VerifyOptions

RETIME_S = 20.0
"""Seconds for which a target is timed again, alone, if noise has left its verdict undecided."""


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
        """Take the rounds requested, as far as they are needed.

        If noise leaves the verdict open, take all of them again with nothing beside, for `RETIME_S` at most.
        """
        rounds, began, taken = self._options.rounds, time.perf_counter(), 0
        for count in usual_rounds(rounds, self._is_open):
            self.take(count)
            taken += count
        a_round_s = (time.perf_counter() - began) / taken
        # Fewer rounds than `FEWEST`, requested by the user, decide nothing either way.
        if rounds >= bench.FEWEST and self._is_open() and rounds_worth(0, rounds, a_round_s, RETIME_S):
            self._place.stop_others()
            self._measured.samples = {}
            settled = settle(self.take, self._is_open, time.perf_counter, rounds, a_round_s, RETIME_S)
            self._measured.settled = settled

    def take(self, rounds: int) -> None:
        """Interleaved samples of the call as given, so many more of each arm."""
        arms = self._measured.arms
        samplers = {name: self._sampler(name) for name in self._timed_arms()}
        if "before" in samplers:
            samplers[CONTROL] = self._sampler("before")
        earlier = self._measured.samples
        taken = bench.interleave(samplers, rounds, self._order, self._gather)
        self._measured.samples = {name: earlier.get(name, []) + more for name, more in taken.items()}
        for name, samples in self._measured.samples.items():
            if name in arms and not self._measured.failed(name):
                arms[name] = self._timed(name, samples)

    def _timed_arms(self) -> list[str]:
        return [name for name in self._arms if not self._measured.failed(name)]

    def _is_open(self, doubt: float = 1.0) -> bool:
        measured = self._measured
        speeds = {name: measured.speedup("before", name) for name in measured.arms if name != "eager"}
        problems = ReferenceProblems(measured.unstable, measured.incomparable)
        return is_open(measured.arms, problems, speeds, measured.noise(), self._options, doubt)

    def _timed(self, name: str, taken: list[float]) -> ArmReport:
        arm = replace(self._measured.arms[name], samples_ms=tuple(taken), median_ms=median(taken))
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
