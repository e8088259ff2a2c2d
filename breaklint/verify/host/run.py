"""Run many targets on this machine: several prepared at once, each device timing one at a time."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed

from breaklint.lint.workers import usable_cores
from breaklint.model import Settings
from breaklint.verify.host.cores import is_gpu, reserved_cores
from breaklint.verify.host.devices import Machine, Place
from breaklint.verify.host.processes import Launcher
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
STARTS = 6
"""So many arms start CUDA at once: contexts are made one after the other, 0.3 to 0.4 s each on an H200 however many ask
for one, and asking for all at once would keep the first targets from going on."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C has ended the run; `unfinished` has the progress of targets that had begun."""

    def __init__(self, unfinished: Sequence[TargetReport]) -> None:
        super().__init__()
        self.unfinished = unfinished


def run_here(
    names: Sequence[str | Target], options: VerifyOptions, progress: Progress, on_report: Callable[[TargetReport], None]
) -> RunReport:
    """Verify every target on whichever device is free; raises Interrupted after everything has been ended."""
    sys.setswitchinterval(SWITCH_S)
    devices: Sequence[str | None] = options.devices or (None,)
    cores = usable_cores()
    jobs = options.jobs or max(min(2, cores), cores - len(devices))
    beside = max(1, int(jobs // len(devices) * TARGETS_A_JOB))
    machine, began = Machine([device or "" for device in devices], beside, jobs, STARTS), time.perf_counter()
    runs = [TargetRun(name, options, progress) for name in names]
    on_cpu = not any(map(is_gpu, devices))
    with (
        reserved_cores(devices) as timed_on,
        Launcher(options.python, options.backend, cores // jobs if jobs > 1 else 0, on_cpu) as launcher,
        ThreadPoolExecutor(1 + len(devices) * beside) as pool,
    ):
        places = {
            device or "": Place(device, launcher, core, compiles_beside=is_gpu(device) and not _measures(options))
            for device, core in zip(devices, timed_on, strict=True)
        }
        pool.submit(_load_rules)
        running = {pool.submit(run.run, machine, places): run for run in runs}
        try:
            for future in as_completed(list(running)):
                on_report(future.result())
                del running[future]
        except BaseException as error:
            machine.stop()
            unfinished = [run.so_far for run in running.values() if run.so_far is not None]
            for place in places.values():
                place.abandon()
            pool.shutdown(cancel_futures=True)
            if isinstance(error, KeyboardInterrupt):
                raise Interrupted(unfinished) from error
            raise
    return RunReport(time.perf_counter() - began, jobs, tuple(places))


def _measures(options: VerifyOptions) -> bool:
    """Whether the compiler may measure kernels on the device."""
    return options.backend not in ("eager", "aot_eager", "inductor") or (options.mode or "").startswith("max-autotune")


_BREAKS = "import torch\n\n\nclass M(torch.nn.Module):\n    def forward(self, x):\n        print(x)\n"


def _load_rules() -> None:
    """While the first process imports torch, load the modules of check and fix, which every target needs."""
    from breaklint.lint.engine import Engine

    Engine(Settings(), read=lambda _: "").fix("", _BREAKS, unsafe=True)


def run_target(target: Target, options: VerifyOptions) -> tuple[TargetReport, RunReport]:
    """Verify one target and nothing beside it."""
    reports: list[TargetReport] = []
    run = run_here([target], options, lambda _: None, reports.append)
    return reports[0], run
