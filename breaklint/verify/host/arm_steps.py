"""The steps of the arms of one target: the requests that each sends to an arm's process."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from breaklint.dynamo.breaks import read_reports
from breaklint.lint.plain_data import updated
from breaklint.source.shown_paths import shown_in
from breaklint.verify.host.arm_process import Worker
from breaklint.verify.host.devices import Machine, Place
from breaklint.verify.host.timing import Measurements
from breaklint.verify.judge.results import ArmFailure, ArmReport, BranchReport
from breaklint.verify.judge.verdict import ReferenceProblems
from breaklint.verify.options import SEED, VerifyOptions
from breaklint.verify.targets.sources import Source, location

EAGER, BEFORE, AFTER = "eager", "before", "after"
ONE_FIX = "fix:"
"""How the names of arms begin that have one fix alone."""
EAGER_BACKEND = "eager"
"""The backend of torch.compile that runs the graphs of Dynamo as they are."""


class ArmSteps:
    """One method per step, which takes the arm's name; `measured` contains the results."""

    _name: str
    _options: VerifyOptions
    _machine: Machine
    _place: Place
    _folder: Path
    _setup: dict[str, Any]

    def __init__(self, progress: Callable[[str], None]) -> None:
        self._progress = progress
        self._stack, self._workers = ExitStack(), dict[str, Worker]()
        self._sources: dict[str, Source] = {}
        self.measured = Measurements()

    def start(self, name: str) -> None:
        """Start an arm's process, and torch in it."""
        self._workers[name] = self._open_worker(name, _file_name(name))
        self._workers[name].ask("start", device=self._place.kind)

    def load(self, name: str) -> None:
        """Build the model; the device information of the original applies to all arms."""
        worker = self._workers[name]
        if name == EAGER:
            self._say(name, "running")
            worker.ask("start", device=self._place.kind)
        reply = worker.ask("load", location=location(self._sources[name]), setup=self._setup)
        if name == EAGER:
            self.measured.environment = reply["environment"] | {"core": self._place.core}
            self._setup["device"] = reply["device"]  # the other arms must not choose again

    def reference(self, name: str) -> None:
        """Run the original uncompiled, with all further calls."""
        answer = self._workers[name].ask("reference")
        self.measured.problems = ReferenceProblems(answer["unstable"], answer["incomparable"])
        self.measured.branches = [_branch(**branch) for branch in answer["branches"]]
        error = answer["exception"]
        failure = ArmFailure("exception", f"the model itself fails: {shown_in(error)}") if error else None
        self.measured.arms[name] = ArmReport(error=failure, notes=tuple(answer["notes"]))

    def rewritten(self, name: str) -> None:
        """Run another source uncompiled, with all further calls; how it differs from the original."""
        self._say(name, "running uncompiled")
        self.measured.arms[name] = updated(ArmReport(), self._workers[name].ask("rewritten"))

    def examine(self, name: str) -> None:
        """Run it uncompiled if it has another source than the original; then have Dynamo trace it."""
        if name != BEFORE:
            self.rewritten(name)
        self.trace(name)

    def trace(self, name: str) -> None:
        """Trace the model with Dynamo, and run its graphs as they are: breaks and results."""
        self._say(name, "tracing")
        self._note_compiled(name, self._workers[name].ask("trace"))
        if not self.traces_only:
            self.measured.arms[name] = replace(self.measured.arms[name], compile_s=None)

    def compile(self, name: str) -> None:
        """Compile with the backend and in the mode that the user requested, and call."""
        self._say(name, "compiling")
        self._note_compiled(name, self._workers[name].ask("compile"))

    @property
    def traces_only(self) -> bool:
        """Whether the requested backend only traces."""
        return self._options.backend == EAGER_BACKEND

    def _note_compiled(self, name: str, compiled: dict[str, Any]) -> None:
        worker, earlier = self._workers[name], self.measured.arms.get(name, ArmReport())
        breaks = read_reports(compiled.pop("breaks"), self._options.own_paths)
        arm = replace(updated(earlier, compiled), breaks=breaks)
        self.measured.arms[name] = replace(arm, compile_s=_compile_s(compiled, worker))

    def probe(self, name: str) -> None:
        """The further calls, which follow timing because they disturb the process."""
        worker, arm = self._workers[name], self.measured.arms[name]
        self._say(name, "further calls")
        calls = worker.ask("probes", raising=False)["probes"]
        self.measured.arms[name] = updated(arm, {"further_calls": calls})

    def inspect(self, name: str) -> None:
        """Trace with `fullgraph`, which wipes the compiler's memory; calls after which the process may be unfit."""
        worker, arm = self._workers[name], self.measured.arms[name]
        self._say(name, "fullgraph")
        gates = {} if arm.breaks else worker.ask("fullgraph")
        calls = worker.ask("probes", raising=True)["probes"]
        earlier, arm = arm.further_calls, updated(arm, gates | {"further_calls": calls})
        further = earlier + arm.further_calls
        different = (*arm.differences, *(line for call in further for line in call.differences))
        self.measured.arms[name] = replace(arm, further_calls=further, differences=different)

    def _say(self, arm: str, doing: str) -> None:
        self._progress(": ".join(filter(None, (self._name, arm, doing))))

    def _open_worker(self, name: str, folder: str, compiles: bool = True) -> Worker:
        worker = self._stack.enter_context(
            self._place.arm(self._folder / folder, self._options.timeout_s, compiles=compiles)
        )
        self._workers[name] = worker
        return worker

    @property
    def _on_cuda(self) -> bool:
        return str(self._setup["device"]).startswith("cuda")


def setup_of(options: VerifyOptions, device: str | None, folder: Path) -> dict[str, Any]:
    """The setup of every arm of a target for `session.Setup`; shared files are in `folder`."""
    names = ("backend", "mode", "dynamic", "train")
    values = {name: getattr(options, name) for name in names}
    return values | {"device": device, "seed": SEED, "reference": str(folder / "reference.pt")}


def _branch(place: Sequence[Any], outcomes: Sequence[tuple[bool, str]]) -> BranchReport:
    """A branch that was searched for inputs which reach its sides."""
    by = dict(outcomes)
    return BranchReport(place[0], place[1], by.get(True), by.get(False))


def _compile_s(compiled: Mapping[str, Any], worker: Worker) -> float:
    """Seconds of the first call, without those of a steady call and without pauses."""
    start, end, steady = (float(value) for value in (*compiled["compiled_from_to"], compiled["call_s"]))
    return max(0.0, end - start - worker.stopped_between(start, end) - steady)


def _file_name(name: str) -> str:
    """The name of a target or an arm as that of a file."""
    return re.sub(r"[^\w.-]+", "-", name).strip("-.") or "target"
