"""Verify one target, from its sources to its report."""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path

from breaklint.dynamo.breaks import covers
from breaklint.errors import BreaklintError
from breaklint.source.decoding import read_source
from breaklint.verify.host.arm_process import ArmError, Worker
from breaklint.verify.host.arm_steps import AFTER, BEFORE, EAGER, ONE_FIX, ArmSteps, setup_of
from breaklint.verify.host.devices import Machine, Place
from breaklint.verify.host.examine import distinct_arms, report_of, rewritten_rows
from breaklint.verify.host.timing import Timer
from breaklint.verify.judge.results import TargetReport, Verdict
from breaklint.verify.options import VerifyOptions
from breaklint.verify.targets.region import Coverage
from breaklint.verify.targets.sources import Source, location, make_plan, same_where_it_ran
from breaklint.verify.targets.targets import Target, find_target

PATIENCE_S = 120.0
"""Seconds of the first call. A longer call counts as one that reaches every file."""
THREADS = 8
"""Arms of a target that run a step at the same time; most wait for a process."""
NOTE = "note: "
"""Begins a line of progress that stays on a terminal."""
OPEN = (Verdict.CORRECT, Verdict.CLEAN)
"""Verdicts before anything is timed that leave it open whether compiling pays."""
Progress = Callable[[str], None]


class TargetRun(ArmSteps):
    """One target. `so_far` is the report of an unfinished target."""

    def __init__(self, name: str | Target, options: VerifyOptions, progress: Progress) -> None:
        self._name = name if isinstance(name, str) else name.name
        self._request, self._options = name, options
        super().__init__(progress)
        self.so_far: TargetReport | None = None

    def run(self, machine: Machine, places: Mapping[str, Place]) -> TargetReport:
        """Wait for a device, and verify on it."""
        with machine.turn() as device, ThreadPoolExecutor(THREADS) as self._pool:
            self._machine, self._place = machine, places[device]
            began = time.perf_counter()
            try:
                report = self._verify()
            except BreaklintError as error:
                report = TargetReport(self._name, Verdict.ERROR, str(error))
            finally:
                self.close()
            self.so_far = None
            return replace(report, seconds=time.perf_counter() - began, ran_on=self._place.device or "")

    def close(self) -> None:
        """End all its processes, at once."""
        for worker in list(self._workers.values()):
            worker.kill()
        self._stack.close()

    def _verify(self) -> TargetReport:
        """Dynamo decides first; arms that can still be confirmed are compiled, timed, and called in further ways."""
        with self._machine.computing():
            self._scout()
            self._plan = make_plan(self._target, self._options, self._coverage)
            self._sources = distinct_arms(self._plan)
        self._setup |= {"branches": rewritten_rows(self._plan), "rewritten": self._plan.after is not None}
        usual = [name for name in self._sources if not name.startswith(ONE_FIX)]
        if not self._run_reference(usual):
            return self._report()
        self._trace_arms(usual)
        self._trace_arms(self._more_arms())
        open_arms = self._open_arms()
        if not self._options.quick and open_arms:
            self._compile_and_time(open_arms)
        self._run_in_arms(self.probe, open_arms)
        self._run_in_arms(self.inspect, open_arms)
        return self._report()

    def _scout(self) -> None:
        """Find out which functions an uncompiled call runs; the original's process goes on as the arm `eager`."""
        target = self._target = (
            find_target(self._request, self._options.entries) if isinstance(self._request, str) else self._request
        )
        self._options = replace(self._options, **target.options)
        self._say("", "finding out what its forward reaches")
        folder = tempfile.TemporaryDirectory(prefix="breaklint-", ignore_cleanup_errors=True)
        self._folder = Path(self._stack.enter_context(folder))
        original = self._open_worker(EAGER, EAGER, compiles=False)
        self._setup = setup_of(self._options, self._place.kind, self._folder)
        self._coverage = Coverage()
        if target.is_fixture:  # which is the content of its folder
            return
        self._coverage = self._trace_coverage(original)
        if self._coverage == Coverage() or self._options.before is not None:
            original.close()  # it may be in a bad state; with --before, it has not run the original
            self._open_worker(EAGER, "eager-again", compiles=False)

    def _trace_coverage(self, worker: Worker) -> Coverage:
        """The functions and lines that a call of the original target runs; all if it fails."""
        source = Source(self._target, read_source(str(self._target.path)).text)
        try:
            worker.ask("load", location=location(source), setup=self._setup)
            reply = worker.ask("coverage", within_s=PATIENCE_S)
        except ArmError:
            return Coverage()
        functions, lines = ({(str(Path(path).resolve()), row) for path, row in reply[kind]} for kind in reply)
        return Coverage(frozenset(functions), frozenset(lines))

    def _run_reference(self, arms: Sequence[str]) -> bool:
        """Run the original while the other arms start; did it work?"""
        loaded = threading.Event()
        others = [self._pool.submit(self._start, name, loaded) for name in arms if name != EAGER]
        try:
            self._run_in_arms(self.load, [EAGER], slot=False)
        finally:
            loaded.set()
        self._run_in_arms(self.reference, [EAGER])
        for other in others:
            other.result()
        return not self.measured.failed(EAGER)

    def _start(self, name: str, loaded: threading.Event) -> None:
        """Start an arm, and build its model once the original's is, which decides on the device."""
        with self._machine.starts:
            self._run_in_arms(self.start, [name], slot=False)
        loaded.wait()
        if not self.measured.failed(EAGER):
            self._run_in_arms(self.load, [name], slot=False)

    def _trace_arms(self, arms: Sequence[str]) -> None:
        """Run arms uncompiled, and with Dynamo alone."""
        started = threading.Event()
        started.set()
        new = [name for name in arms if name not in self._workers]
        for start in [self._pool.submit(self._start, name, started) for name in new]:
            start.result()
        self._run_in_arms(self.examine, [name for name in arms if name != EAGER])

    def _more_arms(self) -> list[str]:
        """The arms of fixes alone, if the model with all fixes breaks, fails or differs."""
        single = [name for name in self._sources if name.startswith(ONE_FIX)]
        if AFTER not in self._sources:
            return single
        if self.measured.arms[BEFORE].error:
            return []
        if self._is_wrong(AFTER):
            return single
        return [name for name in single if self.measured.arms[AFTER].breaks and self._needs_arm(name)]

    def _needs_arm(self, name: str) -> bool:
        finding, source = self._plan.fixes[int(name.removeprefix(ONE_FIX))]
        does_break = any(covers(finding, broken) for broken in self.measured.arms[BEFORE].breaks)
        return does_break and not same_where_it_ran(
            self._plan.before, source, self._sources[AFTER], self._coverage.lines
        )

    def _open_arms(self) -> list[str]:
        """The arms by which something can still be confirmed; the others end here."""
        dynamo = self._report_with(replace(self._options, quick=True))
        self.so_far = replace(dynamo, verdict=Verdict.INCONCLUSIVE, why=f"interrupted; Dynamo alone: {dynamo.why}")
        if dynamo.verdict is Verdict.BREAK_REMAINS:
            self._progress(f"{NOTE}{self._name}: {dynamo.why}")
        arms = {fix.arm for fix in dynamo.fixes if fix.verdict in OPEN}
        arms |= {AFTER if AFTER in self._sources else BEFORE} if dynamo.verdict in OPEN else set()
        arms |= {EAGER, BEFORE} if arms else set()
        return [name for name in self._sources if name in arms and name != EAGER and not self.measured.failed(name)]

    def _compile_and_time(self, arms: Sequence[str]) -> None:
        """Compile, and take samples."""
        if not self.traces_only:
            self._run_in_arms(self.compile, arms)
        right = [name for name in arms if not self._is_wrong(name)]
        if right in ([BEFORE], []) and AFTER in arms:
            return
        self._say("timing", f"{self._options.rounds} rounds, more if noise leaves it undecided")
        timed = [EAGER, *arms]
        self._machine.check()
        with self._place.alone([self._workers[name] for name in timed]):
            Timer(self.measured, self._workers, timed, self._options, self._place, self._on_cuda).run()

    def _run_in_arms(
        self,
        step: Callable[[str], None],
        arms: Sequence[str],
        slot: bool = True,
    ) -> None:
        """Take a step with several arms at the same time; an arm that does not reply has failed."""
        run = partial(self._step, step, slot)
        able = [name for name in arms if not self.measured.failed(name)]
        if len(able) == 1:  # which may be called in a thread of the pool, and must not wait for another
            run(able[0])
        elif able:
            list(self._pool.map(run, able))

    def _step(self, step: Callable[[str], None], slot: bool, name: str) -> None:
        try:
            self._machine.check()
            with self._machine.computing() if slot else nullcontext():
                step(name)
        except ArmError as error:
            self._machine.check()
            self.measured.fail(name, error)

    def _is_wrong(self, name: str) -> bool:
        return self.measured.failed(name) or self.measured.arms[name].is_wrong

    def _report(self) -> TargetReport:
        arms, measured = self.measured.arms, self.measured
        measured.arms = {name: arms[name] for name in self._sources if name in arms}
        return self._report_with(self._options)

    def _report_with(self, options: VerifyOptions) -> TargetReport:
        return report_of(self._name, self._plan, self._sources, self.measured, options, self._coverage)
