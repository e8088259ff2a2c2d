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
    ("body", "applicability"),
    [
        ("warnings.warn('a')", Applicability.SAFE),
        ("if x.dim() > 1: print(1)", Applicability.SAFE),
        ("print(1)\n        print(2)", Applicability.SAFE),
        ("warnings.warn('a'); warnings.warn('a')", Applicability.UNSAFE),
        ("x = x + 1; print(1)", Applicability.UNSAFE),
    ],
)
def test_statements_that_share_a_line_are_torn_apart(body: str, applicability: Applicability) -> None:
    findings = Engine(Settings()).check("net.py", NET.format(body)).findings
    assert {each.fix.applicability for each in findings if each.fix is not None} == {applicability}
