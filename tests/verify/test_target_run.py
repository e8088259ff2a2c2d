"""What becomes of a step that ends early or late."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from breaklint.verify.host.place import Place
from breaklint.verify.host.schedule import Outcome
from breaklint.verify.host.target_run import TargetRun
from breaklint.verify.host.workers import ArmError
from breaklint.verify.judge.results import ArmFailure, ArmReport
from breaklint.verify.options import VerifyOptions


class Run(TargetRun):
    """Its steps end as tests want."""

    kind = "exception"

    def compile(self, name: str) -> None:
        raise ArmError(self.kind, "it raises")

    def load(self, name: str) -> None:
        self.measured.arms[name] = ArmReport(error=ArmFailure(self.kind, "closed"))
        self.measured.arms = {}  # as when a target is judged because its original failed meanwhile


def run(step: str, arm: str = "after", kind: str = "exception") -> Outcome:
    target = Run("a target", VerifyOptions(), lambda line: None)
    target.kind = kind
    return target.perform(step, arm, Place(None, None))  # type: ignore[arg-type]


def test_the_layers_of_an_arm_that_the_compiler_fails_are_tried_and_of_no_other() -> None:
    assert run("compile") == Outcome(failed=True, wants=["climb"])
    assert run("compile", kind="timeout") == Outcome(failed=True, wants=[])
    assert run("compile", arm="eager") == Outcome(failed=True, wants=[])


def test_a_step_may_end_after_its_target_was_judged() -> None:
    assert run("load") == Outcome()


def test_all_processes_of_a_target_are_killed_before_one_is_waited_for() -> None:
    target, done = Run("a target", VerifyOptions(), lambda line: None), list[str]()
    for name in ("eager", "before"):
        worker: Any = SimpleNamespace(kill=lambda name=name: done.append(f"kill {name}"))
        target._workers[name] = worker
        target._stack.callback(done.append, f"wait {name}")
    target.close()
    assert sorted(done[:2]) == ["kill before", "kill eager"]
    assert sorted(done[2:]) == ["wait before", "wait eager"]
