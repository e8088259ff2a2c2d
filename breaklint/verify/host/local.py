"""Run many targets on this machine: several prepared at once, each device timing one at a time."""

from __future__ import annotations

import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from breaklint.errors import BreaklintError
from breaklint.lint.workers import usable_cores
from breaklint.verify.host.cores import kept_free
from breaklint.verify.host.examine import examine
from breaklint.verify.host.launch import Launcher
from breaklint.verify.host.place import Clock, Place
from breaklint.verify.host.turns import WAITING, Turns
from breaklint.verify.judge.results import RunReport, TargetReport, Verdict
from breaklint.verify.options import VerifyOptions
from breaklint.verify.targets.targets import Target, find_target

Progress = Callable[[str], None]
TARGETS_A_JOB = 3 / 4
"""So many targets run for each job of a device: the arms of some compile beside each other, others wait to be timed."""
SWITCH_S = 0.0005
"""How long a thread may go on while others wait for the interpreter: those that ask arms for samples must not wait for
those that look for fixes."""
STARTS = 6
"""So many arms start CUDA at once: contexts are made one after the other, 0.3 to 0.4 s each on an H200 however many ask
for one, and asking for all at once would keep the first targets from going on."""


def run_here(
    names: Sequence[str | Target], options: VerifyOptions, progress: Progress, done: Callable[[TargetReport], None]
) -> RunReport:
    """Examine every target, by name or as found already, on whichever device is free; `done` gets reports as they come.

    Ctrl-C ends the arms that run and leaves the rest undone.

    Raises:
        KeyboardInterrupt: after everything has been ended.
    """
    devices = options.devices or (options.device,)
    cores = usable_cores()
    jobs = options.jobs or max(min(2, cores), cores - len(devices))
    waiting, clock = deque[str | Target](names), Clock()
    slots, starts = threading.Semaphore(jobs), threading.Semaphore(STARTS)
    beside = max(1, int(jobs // len(devices) * TARGETS_A_JOB))
    may_wait = max(WAITING, cores // 2)  # whose arms keep their memory, which grows with the cores of a machine
    turns, threads = Turns(beside, len(names), may_wait), min(len(names), len(devices) * (beside + may_wait))
    on_cpu = all(device == "cpu" for device in devices)
    with (
        kept_free(devices) as timed_on,
        Launcher(options.python, options.backend, cores // jobs if jobs > 1 else 0, on_cpu) as launcher,
    ):
        stopped = threading.Event()
        places = [
            Place(device, launcher, slots, starts, clock, turns, options.memory_gib, core)
            for device, core in zip(devices, timed_on, strict=True)
        ]

        def work(place: Place) -> None:
            try:
                while name := _next(waiting):
                    with turns.target(place.device or ""):
                        report = _examine(name, options, progress, place)
                        if not stopped.is_set():  # else it reports that we ended its arms
                            done(report)
            except BaseException:
                stop()
                raise

        def stop() -> None:
            stopped.set()
            waiting.clear()
            turns.stop()
            for place in places:
                place.abandon()

        with _quick_switches(), ThreadPoolExecutor(threads) as pool:
            try:
                for future in [pool.submit(work, places[n % len(places)]) for n in range(threads)]:
                    future.result()
            except BaseException:
                stop()
                raise
    shares = clock.shares()
    named = tuple(device or "" for device in devices)
    return RunReport(**shares, jobs=jobs, places=named)


@contextmanager
def _quick_switches() -> Iterator[None]:
    usual = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_S)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)


def _next(waiting: deque[str | Target]) -> str | Target | None:
    try:
        return waiting.popleft()
    except IndexError:
        return None


def run_target(target: Target, options: VerifyOptions) -> tuple[TargetReport, RunReport]:
    """Examine one target and nothing beside it."""
    reports: list[TargetReport] = []
    run = run_here([target], options, lambda _: None, reports.append)
    return reports[0], run


def _examine(name: str | Target, options: VerifyOptions, progress: Progress, place: Place) -> TargetReport:
    try:
        target = find_target(name, options.entries) if isinstance(name, str) else name
        return examine(target, options, progress, place)
    except BreaklintError as error:
        return TargetReport(name if isinstance(name, str) else name.name, Verdict.ERROR, str(error))
