"""Run the arms of one target: every source in its own process, prepared beside each other, timed in turn."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from breaklint.verify.host.backend_bisect import rungs
from breaklint.verify.host.limits import Limits
from breaklint.verify.host.measurements import Measurements
from breaklint.verify.host.place import CHECKS, COMPILING, TIMING, Place
from breaklint.verify.host.records import Records
from breaklint.verify.host.rounds import Progress, Rounds
from breaklint.verify.host.timing import Timer
from breaklint.verify.host.workers import ArmError, Worker
from breaklint.verify.judge import replies
from breaklint.verify.judge.results import ArmFailure, ArmReport
from breaklint.verify.options import VerifyOptions
from breaklint.verify.paths import shown_in
from breaklint.verify.targets.sources import Source, location

ALONE = "fix:"
"""How the names of arms begin that have one fix alone."""
NO_CUDA = "CUDA is required, and torch finds none on this machine"


def run_arms(
    sources: Mapping[str, Source],
    options: VerifyOptions,
    progress: Progress,
    place: Place,
    rewritten: Sequence[tuple[str, int, int]] = (),
) -> Measurements:
    """Run `eager`, then the others against what it left. A failing arm is reported, and the rest goes on.

    `rewritten` are the rows of the original that fixes rewrite: file, first and last row.
    """
    with tempfile.TemporaryDirectory(prefix="breaklint-", ignore_cleanup_errors=True) as folder, ExitStack() as stack:
        # Left last: its threads wait for workers that end first.
        pool = stack.enter_context(ThreadPoolExecutor(len(sources)))
        limits = Limits(options.timeout_s)

        def start(name: str) -> Worker:
            worker = stack.enter_context(place.arm(Path(folder, _file_name(name)), options.timeout_s))
            worker.limit = limits.of(name)
            return worker

        comparer = stack.enter_context(place.arm(Path(folder, "comparer"), options.timeout_s))
        records = Records(Path(folder), comparer)
        run = _Run(sources, options, progress, place, start, pool, Path(folder), rewritten, records, limits)
        run.all()
    ordered = {name: run.measured.arms[name] for name in sources if name in run.measured.arms}
    return replace(run.measured, arms=ordered)


def setup_of(options: VerifyOptions, device: str | None, folder: Path) -> dict[str, Any]:
    """How every arm of a target runs, as `arm_session.Setup` takes it; what arms share lies in `folder`."""
    names = ("backend", "mode", "dynamic", "train", "seed", "seeds", "batch_sizes")
    asked = {name: getattr(options, name) for name in names}
    return asked | {"device": device, "reference": str(folder / "given.pt")}


class _Run:
    def __init__(
        self,
        sources: Mapping[str, Source],
        options: VerifyOptions,
        progress: Progress,
        place: Place,
        start: Callable[[str], Worker],
        pool: Executor,
        folder: Path,
        rewritten: Sequence[tuple[str, int, int]],
        records: Records,
        limits: Limits,
    ) -> None:
        self._sources, self._options, self._progress = sources, options, progress
        self._place, self._new_worker, self._pool, self._limits = place, start, pool, limits
        self._workers: dict[str, Worker] = {}
        whole = [name for name in sources if not name.startswith(ALONE)]
        self._workers |= {name: start(name) for name in whole}
        self._setup = setup_of(options, place.kind, folder) | {"branches": rewritten}
        self._folder, self._records = folder, records
        self._started = {name: pool.submit(self._start, name) for name in whole}
        self._loaded: dict[str, Future[dict[str, Any]]] = {}
        self.measured = Measurements()

    def all(self) -> None:
        """All steps of all arms overlap as far as the place has slots; timing has the device for itself."""
        others = [name for name in self._workers if name != "eager"]
        self.measured.guarded("eager", lambda name: self._run_eager(name, others))
        if self.measured.failed("eager"):
            return
        self._each(others, self._prepare)
        if alone := self._fixes_alone():
            others += alone
            self._each(alone, self._prepare)
        timer = Timer(self.measured, self._workers, self._on_cuda)
        if not self._options.quick:
            Rounds(timer, self.measured, self._options, self._alone, self._progress).take(self._place)
        self._each(filter(self.measured.works, others), self._probe)
        if any(call.sized for arm in self.measured.arms.values() for call in arm.further_calls):
            with self._alone():
                timer.sweep()
        self._each(filter(self.measured.works, others), self._inspect)
        for name, worker in self._workers.items():
            if worker.replaced and name in self.measured.arms:
                self.measured.arms[name] = replace(self.measured.arms[name], replaced=tuple(sorted(worker.replaced)))
        self._each(filter(self._is_off, others), self._backend_bisect)

    def _fixes_alone(self) -> list[str]:
        """The arms with one fix each: with an `after` they run only where that fails and the original does not."""
        names = [name for name in self._sources if name.startswith(ALONE)]
        if "after" in self._sources:
            whole, before = self.measured.arms["after"], self.measured.arms["before"]
            fails = whole.error or whole.breaks or whole.differences or whole.rewrite_differences
            if before.error or not fails:
                return []
        for name in names:
            self._workers[name] = self._new_worker(name)
            self._started[name] = self._pool.submit(self._start, name)
            self._loaded[name] = self._pool.submit(self._load, name)
        return names

    def _each(self, names: Iterable[str], action: Callable[[str], ArmReport]) -> None:
        list(self._pool.map(lambda name: self.measured.guarded(name, action), names))

    def _is_off(self, name: str) -> bool:
        arm = self.measured.arms[name]
        return bool(arm.differences) or (arm.error is not None and arm.error.kind in ("compile", "exception"))

    def _start(self, name: str) -> None:
        with self._place.starts:
            self._workers[name].ask("start", device=self._place.kind)

    def _load(self, name: str) -> dict[str, Any]:
        self._started[name].result()
        keep = Path(self._options.artifacts, _file_name(self._sources["eager"].target.name), _file_name(name))
        setup = self._setup | ({"artifacts": str(keep.absolute())} if self._options.artifacts else {})
        return self._workers[name].load(location(self._sources[name]), setup)

    def _run_eager(self, name: str, others: Iterable[str]) -> ArmReport:
        self._progress(name, "running")
        self._started[name].result()
        self._workers[name].ask("note_files")
        loaded = self._load(name)
        self.measured.environment = loaded["environment"] | {"core": self._place.core}
        self._setup["device"] = loaded["device"]  # the other arms must not choose again
        if self._options.require_cuda and not loaded["device"].startswith("cuda"):
            return ArmReport(error=ArmFailure("no-cuda", NO_CUDA))
        self._loaded = {other: self._pool.submit(self._load, other) for other in others}
        with self._checking():
            answer, told = self._records.expect(self._workers[name], self._options.train)
        self.measured.files = self._workers[name].ask("files")["files"]
        self.measured.unstable, self.measured.incomparable = told["unstable"], told["incomparable"]
        self.measured.branches = [replies.branch(**told) for told in answer["branches"]]
        raised = answer["exception"]
        failure = ArmFailure("exception", f"the model itself fails: {shown_in(raised)}") if raised else None
        return ArmReport(error=failure, notes=tuple(answer["notes"]))

    def _prepare(self, name: str) -> ArmReport:
        worker = self._workers[name]
        self._loaded[name].result()
        known = ArmReport()
        with self._place.slots:
            if name != "before":
                self._progress(name, "running uncompiled")
                with self._place.clock.doing(CHECKS):
                    _, told = self._records.compared(worker, "rewritten")
                known = ArmReport(rewrite_differences=tuple(told["differences"]), notes=tuple(told["notes"]))
                self.measured.arms[name] = known  # stays known when compiling fails
            self._progress(name, "compiling")
            with self._place.clock.doing(COMPILING) as span:
                compiled, told = self._records.compared(worker, "compile", "compiled")
            warm = self._compile_warm(name) if self._options.warm_compile else None
        arm = replies.compiled(known, compiled | told, self._options.own_paths)
        seconds = _compile_s(compiled, worker)
        return replace(arm, compile_s=seconds, compile_warm_s=warm, compile_beside=span.beside)

    def _compile_warm(self, name: str) -> float | None:
        """Seconds that a second process takes to compile with the first one's cache; None when it fails."""
        caches, source = self._folder / _file_name(name), self._sources[name]
        with self._place.arm(self._folder / f"{_file_name(name)}-warm", self._options.timeout_s, caches) as worker:
            try:
                worker.load(location(source), self._setup)
                with self._place.clock.doing(COMPILING):
                    compiled, _ = self._records.compared(worker, "compile", "compiled")
                return _compile_s(compiled, worker)
            except ArmError:
                return None

    @property
    def _on_cuda(self) -> bool:
        return str(self._setup["device"]).startswith("cuda")

    @contextmanager
    def _alone(self) -> Iterator[None]:
        with self._place.alone(self._workers.values(), self._on_cuda), self._place.clock.doing(TIMING):
            yield

    @contextmanager
    def _checking(self) -> Iterator[None]:
        with self._place.slots, self._place.clock.doing(CHECKS):
            yield

    def _probe(self, name: str) -> ArmReport:
        """What comes after timing, since it disturbs the process: profile a call, then the further calls."""
        worker, arm = self._workers[name], self.measured.arms[name]
        with self._checking():
            self._progress(name, "further calls")
            timed = {} if self._options.quick else self._records.compared(worker, "timed")[1]
            profiled = worker.ask("profile")
            calls = self._further_calls(worker, raising=False)
        return replies.probed(arm, profiled, calls, timed.get("differences", ()))

    def _further_calls(self, worker: Worker, raising: bool) -> list[dict[str, Any]]:
        """The further calls compiled; one that differs is made once more, with nothing left of the others."""
        told, compared = self._records.compared(worker, "probes", raising=raising)
        differences = compared["differences"]
        for name in [name for name, lines in differences.items() if lines]:
            _, alone = self._records.compared(worker, "probe_alone", "probes", name=name)
            differences |= alone["differences"]
        return [call | {"differences": differences[call["name"]]} for call in told["probes"]]

    def _inspect(self, name: str) -> ArmReport:
        """The strict gates, which wipe the compiler's memory, and the calls after which the process may be unfit."""
        worker, arm = self._workers[name], self.measured.arms[name]
        with self._checking():
            self._progress(name, "strict gates")
            gates = worker.ask("strict", informative=not self._options.quick)
            calls = self._further_calls(worker, raising=True)
        return replies.inspected(arm, calls, gates)

    def _backend_bisect(self, name: str) -> ArmReport:
        """Find the layer of the compiler at fault; a process that has ended cannot tell."""
        arm = self.measured.arms[name]
        try:
            with self._checking():
                self._progress(name, "which layer is at fault?")
                return replies.bisected(arm, list(rungs(self._records, self._workers[name], self._options.backend)))
        except ArmError:
            return arm


def _compile_s(compiled: Mapping[str, Any], worker: Worker) -> float:
    """Seconds from the first call to its end, without what a steady call takes and without those it stood still."""
    start, end, steady = (float(value) for value in (*compiled["compiled_from_to"], compiled["call_s"]))
    still = worker.paused_between(start, end) + float(compiled["waited_s"])
    return max(0.0, end - start - still - steady)


def _file_name(name: str) -> str:
    """The name of a target or an arm as that of a file."""
    return re.sub(r"[^\w.-]+", "-", name).strip("-.") or "target"
