"""print, logging and warnings under a guard: safe, but where the lines of the file decide which warnings are shown."""

from __future__ import annotations

import pytest

from breaklint.lint.engine import Engine
from breaklint.model import Applicability, Settings

NET = """\
import warnings
import torch


class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        {}
        return x
"""


@pytest.mark.parametrize(
    "body", ["if x.dim() > 1: print(1)", "print(1)\n        print(2)", "x = x + 1; print(1)", "print(1); print(2)"]
)
def test_a_guard_is_safe_on_any_line(body: str) -> None:
    findings = Engine(Settings()).check("net.py", NET.format(body)).findings
    assert {finding.fix.applicability for finding in findings if finding.fix is not None} == {Applicability.SAFE}


@pytest.mark.parametrize(
    ("body", "fixed"),
    [
        ("self.training and print(x.shape)", True),
        ("self.training and x.dim() > 1 and print(x.shape)", True),
        ("print(1) if self.training else None", True),
        ("self.training or (x.dim() and print(1))", True),
        ("self.train() and print(1)", False),  # would not run in compiled code
        ("print(1) and self.training", False),
        ("x = self.training and print(1)", False),
        ("(print(1), self.training)", False),
    ],
)
def test_a_condition_may_decide_whether_a_statement_prints(body: str, fixed: bool) -> None:
    result = Engine(Settings()).fix("net.py", NET.format(body), False)
    assert bool(result.fixed) is fixed
    assert fixed is (f"is_compiling():\n            {body}" in (result.text or ""))
