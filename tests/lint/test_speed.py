"""What checking costs, never in seconds: counts of work."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any
from unittest import mock

import pytest
from harness import PROJECT, findings
from nightly import one_in

from breaklint.interp.frame import Frame
from breaklint.interp.interpreter import Interpreter
from breaklint.interp.lattice import Value
from breaklint.lint.engine import Engine
from breaklint.lint.run import run
from breaklint.lint.workers import Mode
from breaklint.model import Settings
from breaklint.project.module import FunctionInfo

# For each node: a fifth more than on CPython 3.11; how many seconds these take, benchmarks/speed measures.
MOST_STEPS = 147
MOST_EVALUATED = 0.62
FILES = {str(path): path.read_text("utf-8") for path in sorted((PROJECT / "fixtures").glob("*/before.py"))}


def test_checking_takes_a_limited_number_of_steps_and_expressions_for_each_node() -> None:
    engine = Engine(Settings())

    def check() -> None:
        for path, text in FILES.items():
            engine.check(path, text)

    check()  # reads the cards and the facts
    nodes = sum(len([*ast.walk(ast.parse(text))]) for text in FILES.values())
    assert steps(check) / nodes < MOST_STEPS
    evaluated: list[ast.expr] = []
    evaluate = Frame.eval

    def counted(frame: Frame, node: ast.expr) -> Value:
        evaluated.append(node)
        return evaluate(frame, node)

    with mock.patch.object(Frame, "eval", counted):
        check()
    assert nodes / 4 < len(evaluated) < MOST_EVALUATED * nodes


def test_what_a_constructor_does_for_its_own_sake_is_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    entered: list[str] = []
    run = Interpreter.run

    def noted(machine: Interpreter, info: FunctionInfo, *rest: Any) -> Value:
        entered.append(info.name)
        return run(machine, info, *rest)

    monkeypatch.setattr(Interpreter, "run", noted)
    Engine(Settings()).check("models.py", MODELS)
    assert "Base.__init__" in entered
    assert "Base.post_init" not in entered


CONSTRUCTOR = "    def __init__(self):\n        super().__init__()\n        self.depth = 1\n"


@pytest.mark.parametrize("body", one_in(2, [CONSTRUCTOR, "    pass\n"], ["constructors", "nothing"]))
def test_a_long_line_of_classes_takes_as_much_work_as_it_has_classes(body: str) -> None:

    def check(classes: int) -> None:
        head = "import torch\nclass A0(torch.nn.Module):\n    def forward(self, x):\n        return x.item()\n"
        text = head + "".join(f"class A{n}(A{n - 1}):\n{body}" for n in range(1, classes))
        assert findings(text) == [(4, "BRK201")]

    check(10)  # reads the cards and the facts
    few, some, many = (steps(partial(check, classes)) for classes in (30, 60, 120))
    assert many - some < 2.2 * (some - few)


# A proof that follows all uses of a name does so for each finding, and is not made where there are more than 500.
REPEATED = {
    "a variable that is detached": "x = Variable(x)",
    "a mask": "y = x[x > 0]",
    "a print": "print(x)",
}
FOLLOWED = {  # and with how many lines there are so many
    "a number that is read": ("y = x.item()", 501),
    "a choice between tensors": ("x = x + 1 if x.sum() > 0 else x", 126),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "repeated",
    [
        *one_in(3, [*((line, 40) for line in REPEATED.values()), *FOLLOWED.values()], [*REPEATED, *FOLLOWED]),
        # From 64 items on, which 80 lines reach at the first call, a list is not followed item by item.
        pytest.param(("SEEN.append(1)", 80), id="a list of the file that grows"),
    ],
)
def test_findings_of_one_function_take_as_much_work_as_there_are(tmp_path: Path, repeated: tuple[str, int]) -> None:
    line, few = repeated
    head = (
        "import torch\nfrom torch.autograd import Variable\n\nSEEN = []\n\n\n@torch.compile\ndef f(x: torch.Tensor):\n"
    )

    def check(lines: int) -> None:
        (tmp_path / "model.py").write_text(head + f"    {line}\n" * lines + "    return x + 1\n")
        assert len(run([str(tmp_path)], Settings(), Mode(edits=False), jobs=1).findings) == lines

    check(10)
    first, second, third = (steps(partial(check, lines)) for lines in (few, 2 * few, 4 * few))
    assert third - second < 2.2 * (second - first)


@pytest.mark.parametrize(
    "pairs", [lambda n: [0 for _ in range(n) for _ in range(n)], lambda n: {*(a for a in range(n * n))}]
)
def test_loops_in_one_line_count_as_often_as_they_begin_again(pairs: Callable[[int], object]) -> None:
    first, second, third = (steps(partial(pairs, number)) for number in (10, 20, 40))
    assert third - second > 3 * (second - first)


def steps(action: Callable[[], object]) -> int:
    """How many lines of Python an action runs, one with a loop in it as often as it begins again."""
    count = 0

    def trace(frame: FrameType, event: str, _: object) -> Callable[..., Any]:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        action()
    finally:
        sys.settrace(before)
    return count


MODELS = """\
import torch


class Base(torch.nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.post_init()

    def post_init(self):
        self.plan = self.gather()

    def gather(self):
        return {name: self.count(name) for name in ("a", "b", "c")}

    def count(self, name):
        return len([name for _ in range(10)])


class Model(Base):
    def forward(self, x: torch.Tensor):
        return torch.relu(x)
"""
