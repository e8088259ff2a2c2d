"""Run many targets on this machine: several prepared at once, each device timing one at a time."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from queue import SimpleQueue

from breaklint.lint.workers import usable_cores
from breaklint.model import Settings
from breaklint.verify.host.clock import Clock
from breaklint.verify.host.cores import kept_free
from breaklint.verify.host.launch import Launcher
from breaklint.verify.host.place import Place
from breaklint.verify.host.schedule import Outcome, Schedule, Step
from breaklint.verify.host.target_run import TargetRun
from breaklint.verify.judge.results import RunReport, TargetReport
from breaklint.verify.options import VerifyOptions
from breaklint.verify.targets.targets import Target

Progress = Callable[[str], None]
TARGETS_A_JOB = 3 / 4
"""So many targets run for each job of a device: the arms of some compile beside each other, others wait to be timed."""
SWITCH_S = 0.0005
"""How long a thread may go on while others wait for the interpreter: those that ask arms for samples must not wait for
those that look for fixes."""
WAITING = 4
"""So many targets of a device may wait, arms and all, to be timed alone; no other begins then before they were."""
THREADS = 8
"""So many steps of a target may be under way; most wait for a process."""
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
    devices: Sequence[str | None] = options.devices or (None,)
    cores, clock = usable_cores(), Clock()
    jobs = options.jobs or max(min(2, cores), cores - len(devices))
    beside = max(1, int(jobs // len(devices) * TARGETS_A_JOB))
    waiting = max(WAITING, cores // 2)  # whose arms keep their memory, which grows with the cores of a machine
    schedule = Schedule(len(names), [device or "" for device in devices], jobs, STARTS, beside, waiting)
    runs = [TargetRun(name, options, progress) for name in names]
    on_cpu = all(device == "cpu" for device in devices)
    with (
        kept_free(devices) as timed_on,
        Launcher(options.python, options.backend, cores // jobs if jobs > 1 else 0, on_cpu) as launcher,
        _quick_switches(),
        ThreadPoolExecutor(len(devices) * (beside + waiting) * THREADS) as pool,
    ):
        places = {
            device or "": Place(device, launcher, options.memory_gib, core)
            for device, core in zip(devices, timed_on, strict=True)
        }
        pool.submit(_load_rules)
        events = SimpleQueue[tuple[Step, Future[Outcome]]]()
        try:
            while not schedule.finished:
                for step in schedule.next():
                    clock.begun(step)
                    place = places[schedule.device_of(step.target)]
                    future = pool.submit(runs[step.target].perform, step.name, step.arm, place)
                    future.add_done_callback(lambda ended, step=step: events.put((step, ended)))  # type: ignore[misc]
                step, future = events.get()
                outcome, others = future.result(), clock.ended(step)
                if step.name == "compile":
                    runs[step.target].ran_beside(step.arm, others)
                schedule.ended(step, outcome)
                if step.name == "judge" and (report := runs[step.target].report):
                    done(report)
        finally:
            for place in places.values():
                place.abandon()
            pool.shutdown(cancel_futures=True)
            for run in runs:
                run.close()
    return RunReport(**clock.shares(), jobs=jobs, places=tuple(places))


_BREAKS = "import torch\n\n\nclass M(torch.nn.Module):\n    def forward(self, x):\n        print(x)\n"


def _load_rules() -> None:
    """While the first process imports torch, load what finds and fixes breaks, which every target needs."""
    from breaklint.lint.engine import Engine

    Engine(Settings(), read=lambda _: "").fix("", _BREAKS, unsafe=True)


@contextmanager
def _quick_switches() -> Iterator[None]:
    usual = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_S)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)


def run_target(target: Target, options: VerifyOptions) -> tuple[TargetReport, RunReport]:
    """Examine one target and nothing beside it."""
    reports: list[TargetReport] = []
    run = run_here([target], options, lambda _: None, reports.append)
    return reports[0], run
