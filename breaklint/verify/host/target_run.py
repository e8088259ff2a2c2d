"""The steps of one target, as `schedule` names them: what each asks of which arm's process, and what it leads to."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from breaklint.dynamo.breaks import covers
from breaklint.errors import BreaklintError
from breaklint.source.decoding import read_source
from breaklint.source.shown_paths import shown_in
from breaklint.verify.host.arm_steps import ArmSteps, setup_of
from breaklint.verify.host.examine import distinct_arms, report_of, rewritten_rows
from breaklint.verify.host.place import Place
from breaklint.verify.host.records import Records
from breaklint.verify.host.repro import Localiser
from breaklint.verify.host.schedule import ALONE, BUT, EAGER, Deadlines, Outcome
from breaklint.verify.host.timing import RETIME_S, Timer
from breaklint.verify.host.workers import ArmError, Worker
from breaklint.verify.judge.breaks import giving_up
from breaklint.verify.judge.results import ArmFailure, TargetReport, Verdict
from breaklint.verify.options import VerifyOptions
from breaklint.verify.targets.proven import all_but
from breaklint.verify.targets.region import Reached
from breaklint.verify.targets.sources import Plan, Source, location, plan
from breaklint.verify.targets.targets import Target, find_target

MOST = 5
"""So many arms with all fixes but one are run."""
PATIENCE_S = 120.0
"""How long the first call may take; what takes longer is taken to reach everything."""
Progress = Callable[[str], None]


class TargetRun(ArmSteps):
    """One target: a method a step, which takes the arm's name ("" for steps of the target) and may give an `Outcome`.

    `report` is there once it has been judged.
    """

    def __init__(self, name: str | Target, options: VerifyOptions, progress: Progress) -> None:
        self._name = name if isinstance(name, str) else name.name
        self._named, self._options = name, options
        super().__init__(progress)
        self.report: TargetReport | None = None

    def perform(self, step: str, arm: str, place: Place) -> Outcome:
        """Do a step; an arm that gives no answer has failed, and a target that cannot be run is judged at once."""
        self._place = place
        outcome: Outcome | None = None
        try:
            if step == "climb" or self._failure(arm) is None:  # while it was timed
                outcome = getattr(self, step)(arm)
        except ArmError as error:
            self.measured.fail(arm, error)
        except BreaklintError as error:
            self.report = TargetReport(self._name, Verdict.ERROR, str(error))
            return Outcome()
        failure = self._failure(arm)
        if failure is None:
            return outcome or Outcome()
        has_layers = arm != EAGER and step not in ("start", "load", "climb")
        climbs = has_layers and failure.kind in ("compile", "exception")
        return Outcome(failed=True, wants=["climb"] if climbs else [])

    def _failure(self, arm: str) -> ArmFailure | None:
        known = self.measured.arms.get(arm)
        return None if known is None else known.error

    def ran_beside(self, arm: str, others: int) -> None:
        """While an arm compiled, so many others did."""
        if known := self.measured.arms.get(arm):
            self.measured.arms[arm] = replace(known, compile_beside=others)

    def close(self) -> None:
        """End all its processes, at once."""
        for worker in list(self._workers.values()):
            worker.kill()
        self._stack.close()

    def scout(self, _: str) -> None:
        """Find out which functions an uncompiled call runs; the original's process goes on as the arm `eager`."""
        self._began = time.perf_counter()
        target = self._target = (
            find_target(self._named, self._options.entries) if isinstance(self._named, str) else self._named
        )
        self._options = replace(self._options, **target.options)
        self._say("", "finding out what its forward reaches")
        folder = tempfile.TemporaryDirectory(prefix="breaklint-", ignore_cleanup_errors=True)
        self._folder = Path(self._stack.enter_context(folder))
        self._deadlines = Deadlines(self._options.timeout_s)
        original = self._opened(EAGER, EAGER, compiles=False)
        self._records = Records(self._folder, self._opened("comparer", "comparer", compiles=False))
        self._setup = setup_of(self._options, self._place.kind, self._folder)
        self._reached: Reached | None = Reached()
        if target.is_fixture:  # which is what lies in its folder
            return
        self._reached = self._called(original)
        if self._reached is None or self._options.before is not None:
            original.close()  # it may be unfit for more; with --before, it has run what is not the original
            self._opened(EAGER, "eager-again", compiles=False)

    def _called(self, worker: Worker) -> Reached | None:
        """What the target as it stands calls; None where it fails, as its arms will tell."""
        source = Source(self._target, read_source(str(self._target.path)).text)
        worker.limit_s = lambda _: PATIENCE_S
        try:
            worker.load(location(source), self._setup)
            functions = worker.ask("reached")["functions"]
        except ArmError:
            return None
        worker.limit_s = partial(self._deadlines.seconds, EAGER)
        return Reached(frozenset((str(Path(path).resolve()), int(row)) for path, row in functions))

    def plan(self, _: str) -> Outcome:
        """Decide what to run."""
        if self.report is not None:
            return Outcome()
        self._plan: Plan = plan(self._target, self._options, self._reached or Reached())
        self._sources = distinct_arms(self._plan)
        self._setup |= {"branches": rewritten_rows(self._plan), "rewritten": self._plan.after is not None}
        wants = ["time"] * (not self._options.quick) + ["repro"] * bool(self._options.repro)
        return Outcome(arms=[name for name in self._sources if not name.startswith(ALONE)], wants=wants)

    def alone(self, _: str) -> Outcome:
        """The fixes that are to be run each alone: with an `after` only where that fails and the original does not."""
        names = [name for name in self._sources if name.startswith(ALONE)]
        if self.report is not None or self.measured.failed(EAGER):
            return Outcome()
        if "after" not in self._sources:
            return Outcome(arms=names)
        whole, before = self.measured.arms["after"], self.measured.arms["before"]
        if before.error:
            return Outcome()
        is_wrong = bool(whole.differences or whole.rewrite_differences)
        alone = names if is_wrong or whole.error or whole.breaks else []
        others = {f"{BUT}{number}": number for number in self._interacting(is_wrong)}
        self._sources |= {name: all_but(self._plan, number) for name, number in others.items()}
        return Outcome(arms=[*alone, *others])

    def _interacting(self, is_wrong: bool) -> list[int]:
        """The fixes whose effect shows beside all others only: that of a line above which the frame is given up, and
        any where all fixes together change a result."""
        before, fixes = self._plan.before, self._plan.fixes
        broken = self.measured.arms["before"].breaks
        if is_wrong:
            return list(range(len(fixes)))[:MOST] if len(fixes) > 2 else []
        hidden = [
            number
            for number, (finding, _) in enumerate(fixes)
            if len(fixes) > 1
            and not any(covers(finding, each) for each in broken)
            and giving_up(finding, before.text_of(finding.filename), broken)
        ]
        return hidden[:MOST]

    def time(self, _: str) -> Outcome:
        """Take samples of all arms, unless a wrong result has decided already and no fix alone is to be judged."""
        after = self.measured.arms.get("after")
        is_wrong = after is not None and (after.rewrite_differences or after.differences or after.error)
        if is_wrong and not any(name.startswith(ALONE) for name in self.measured.arms):
            return Outcome()
        self._say("timing", f"{self._options.rounds} rounds")
        with self._timing() as timer:
            return Outcome(wants=["retime"] if timer.usual() else [])

    def retime(self, _: str) -> None:
        """Take more of them, with nothing else on the machine."""
        self._say("timing", f"noise leaves it undecided; once more, alone, for {RETIME_S:g} s at most")
        with self._timing() as timer:
            timer.again()

    def sweep(self, _: str) -> None:
        """Time the further calls that have other sizes."""
        with self._timing() as timer:
            timer.sweep()

    def repro(self, _: str) -> None:
        """Find where a wrong result begins, and write a script that shows it."""
        name = "after" if "after" in self.measured.arms else "before"
        arm = self.measured.arms[name]
        if not (arm.rewrite_differences or arm.differences) or "library" in self._target.recipe:
            return
        self._say(name, "where does it begin to differ?")
        localiser = Localiser(self._workers, self._records, self._options, self._folder)
        try:
            found, chosen = localiser.localised(name, arm)
            text = localiser.script(name, arm, self._sources, chosen, found)
        except (ArmError, ValueError, OSError) as error:
            self.measured.arms[name] = replace(arm, notes=(*arm.notes, f"no script was written: {error}"))
            return
        Path(self._options.repro).write_text(text, encoding="utf-8")
        notes = [*filter(None, [found]), f"{self._options.repro} shows it by itself"]
        self.measured.arms[name] = replace(arm, notes=(*arm.notes, *map(shown_in, notes)))

    def judge(self, _: str) -> None:
        """Say what is to be said of it."""
        if self.report is None:
            arms, measured = self.measured.arms, self.measured
            measured.arms = {name: arms[name] for name in self._sources if name in arms}
            for name, worker in self._workers.items():
                if worker.replaced and name in arms:
                    measured.arms[name] = replace(arms[name], replaced=tuple(sorted(worker.replaced)))
            report = report_of(self._name, self._plan, self._sources, measured, self._options)
            took = time.perf_counter() - self._began
            self.report = replace(report, seconds=took, ran_on=self._place.device or "")
        self.close()

    @contextmanager
    def _timing(self) -> Iterator[Timer]:
        """The device for its arms alone, and who times them."""
        arms = {name: self._workers[name] for name in self.measured.arms if name in self._workers}
        if not hasattr(self, "_timer"):
            self._timer = Timer(self.measured, self._workers, self._options, self._place, self._on_cuda)
        with self._place.alone(arms.values()):
            yield self._timer
