"""A counter of a module is shown as a buffer, where all who read it can do with a tensor."""

from __future__ import annotations

from typing import Any

import pytest

from breaklint.lint.engine import check_source
from breaklint.model import Finding, Settings
from breaklint.source.edits import apply_edits

torch = pytest.importorskip("torch")

SOURCE = """\
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = {start}

    def forward(self, x: torch.Tensor):
        {count}
        {result}
{more}"""
SHOWN = {
    "counted": ("0", "self.steps += 1", "return x * 2"),
    "counted in full": ("0", "self.steps = self.steps + 1", "return x * 2"),
    "multiplied with": ("3", "self.steps += 1", "return x * self.steps"),
    "halved": ("1.0", "self.steps *= 0.5", "return self.steps * x"),
}
LEFT = {
    "a branch": ("self.steps += 1", "return x if self.steps % 2 else x * 2", ""),
    "set again": ("self.steps += 1", "return x", "\n    def reset(self):\n        self.steps = 0\n"),
    "an item of a dict": ("self.seen = {}\n        self.steps += 1", "return x, self.seen.get(self.steps)", ""),
    "read by others": ("self.steps += 1", "return x", "\n\ndef log(net):\n    print(f'{net.steps:03d}')\n"),
}


def found(text: str) -> Finding:
    return next(each for each in check_source(text, "model.py", Settings()).findings if each.code == "BRK701")


def graphs(text: str) -> tuple[int, list[Any]]:
    namespace: dict[str, Any] = {}
    exec(compile(text, "model.py", "exec"), namespace)
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    net = namespace["Net"]()
    compiled = torch.compile(net, backend="eager")
    results = [compiled(torch.ones(3)) for _ in range(4)]
    return torch._dynamo.utils.counters["stats"]["unique_graphs"], [*results, float(net.steps)]


@pytest.mark.parametrize(("start", "count", "result"), SHOWN.values(), ids=SHOWN)
def test_the_buffer_compiles_once_and_counts_alike(start: str, count: str, result: str) -> None:
    before = SOURCE.format(start=start, count=count, result=result, more="")
    fix = found(before).fix
    assert fix is not None
    assert fix.applicability.value == "display"
    (several, expected), (one, given) = graphs(before), graphs(apply_edits(before, list(fix.edits)))
    assert one == 1 < several
    torch.testing.assert_close(given, expected)


@pytest.mark.parametrize(("count", "result", "more"), LEFT.values(), ids=LEFT)
def test_a_number_that_python_needs_stays_one(count: str, result: str, more: str) -> None:
    finding = found(SOURCE.format(start="0", count=count, result=result, more=more))
    assert finding.fix is None
    assert "reads `steps`" in finding.no_fix or "more places" in finding.no_fix
