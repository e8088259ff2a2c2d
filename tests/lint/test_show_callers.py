"""A call of a function that breaks is shown only when asked for."""

from __future__ import annotations

from textwrap import dedent

import pytest

from breaklint.lint.engine import check_source
from breaklint.model import Settings

SOURCE = dedent(
    """
    import torch


    def shout(x):
        print(x)
        return x


    def quiet(x):
        return x * 2


    class Net(torch.nn.Module):
        def forward(self, x):
            a = shout(x)
            b = shout(x)
            return a + quiet(b)
    """
)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        pytest.param(False, [(6, "BRK101")], id="only the line that breaks by default"),
        pytest.param(True, [(6, "BRK101"), (16, "BRK801"), (17, "BRK801")], id="every call of it when asked for"),
    ],
)
def test_calls_of_functions_that_break(asked: bool, expected: list[tuple[int, str]]) -> None:
    findings = check_source(SOURCE, "model.py", Settings(show_callers=asked)).findings
    assert [(finding.span.start.row, finding.code) for finding in findings] == expected
