"""What checking costs, never in seconds: multiples of parsing the same text, taken in turns, and counts of work."""

from __future__ import annotations

import ast
import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from harness import PROJECT, findings

from breaklint.interp.interpreter import Interpreter
from breaklint.interp.lattice import Value
from breaklint.lint.engine import Engine
from breaklint.model import Settings
from breaklint.project.module import FunctionInfo

pytestmark = pytest.mark.unmeasured
LIMIT = 20  # twice what was measured on CPython 3.11
ROUNDS = 5
FILES = {str(path): path.read_text("utf-8") for path in sorted((PROJECT / "fixtures").glob("*/before.py"))}


def cpu_seconds(action: Callable[[str, str], object]) -> float:
    before = time.process_time()
    for path, text in FILES.items():
        action(path, text)
    return time.process_time() - before


def parse(path: str, text: str) -> object:
    return ast.parse(text, path)


def test_checking_stays_within_its_multiple_of_parsing() -> None:
    engine = Engine(Settings())
    cpu_seconds(engine.check)  # reads the cards and the facts
    ratios = [cpu_seconds(engine.check) / cpu_seconds(parse) for _ in range(ROUNDS)]
    assert min(ratios) < LIMIT


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


@pytest.mark.parametrize("body", ["    pass\n", CONSTRUCTOR], ids=["nothing", "constructors"])
def test_a_long_line_of_classes_takes_as_much_work_as_it_has_classes(body: str) -> None:
    instructions(10, body)  # reads the cards and the facts
    few, some, many = (instructions(classes, body) for classes in (30, 60, 120))
    assert many - some < 2.2 * (some - few)


def instructions(classes: int, body: str) -> int:
    """How many instructions of Python it takes to check so many classes, each derived from the one before."""
    head = "import torch\nclass A0(torch.nn.Module):\n    def forward(self, x):\n        return x.item()\n"
    text = head + "".join(f"class A{n}(A{n - 1}):\n{body}" for n in range(1, classes))
    count = 0

    def trace(frame: FrameType, event: str, _: object) -> Callable[..., Any]:
        nonlocal count
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        count += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        assert findings(text) == [(4, "BRK201")]
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
