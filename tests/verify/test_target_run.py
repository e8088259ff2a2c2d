"""The steps of one target, without any process."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from breaklint.verify.host.arm_process import ArmError
from breaklint.verify.host.devices import Machine
from breaklint.verify.host.target_run import TargetRun
from breaklint.verify.judge.results import ArmFailure
from breaklint.verify.options import VerifyOptions
from breaklint.verify.targets.sources import Source, same_where_it_ran
from breaklint.verify.targets.targets import Target


def target_run() -> TargetRun:
    run = TargetRun("a target", VerifyOptions(), lambda line: None)
    run._machine = Machine([""], beside=1, slots=1, starts=1)
    return run


def test_an_arm_that_gives_no_answer_has_failed_and_takes_no_further_step() -> None:
    run, taken = target_run(), list[str]()

    def fails(name: str) -> None:
        taken.append(name)
        raise ArmError("exception", "it raises")

    for _ in range(2):
        run._run_in_arms(fails, ["after"])
    assert taken == ["after"]
    assert run.measured.arms["after"].error == ArmFailure("exception", "it raises")


def test_all_processes_of_a_target_are_killed_before_one_is_waited_for() -> None:
    target, done = target_run(), list[str]()
    for name in ("eager", "before"):
        worker: Any = SimpleNamespace(kill=lambda name=name: done.append(f"kill {name}"))
        target._workers[name] = worker
        target._stack.callback(done.append, f"wait {name}")
    target.close()
    assert sorted(done[:2]) == ["kill before", "kill eager"]
    assert sorted(done[2:]) == ["wait before", "wait eager"]


BEFORE = "import torch\ndef f(x):\n    print(x)\n    if x.flag:\n        print(2)\n    return x\n"
ONE = BEFORE.replace("    print(x)\n", "")
BOTH = ONE.replace("print(2)", "pass")


@pytest.mark.parametrize(
    ("ran", "other", "is_same"),
    [
        ((3, 4, 6), BOTH, True),
        ((3, 4, 5, 6), BOTH, False),
        ((3, 4, 6), BEFORE, False),
        ((3, 4, 6), ONE.replace("return x", "return x + 1"), False),
        ((3, 4, 6), "import os\n" + ONE, True),
        ((1, 3, 4, 6), ONE.replace("import torch", "import torch\nimport os"), False),
        (None, BOTH, False),
    ],
)
def test_code_is_the_same_if_only_lines_differ_that_did_not_run(
    tmp_path: Any, ran: tuple[int, ...] | None, other: str, is_same: bool
) -> None:
    target = Target("t", tmp_path / "net.py")
    before, one, both = (Source(target, text, text == BEFORE) for text in (BEFORE, ONE, other))
    lines = None if ran is None else frozenset((str(target.path), row) for row in ran)
    assert same_where_it_ran(before, one, both, lines) == is_same
