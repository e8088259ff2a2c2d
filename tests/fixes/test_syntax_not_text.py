"""Proofs that look for names find them in code: not in comments, and under whatever name a file imports them."""

from __future__ import annotations

import pytest

from breaklint.lint.engine import fix_source
from breaklint.model import Settings

SAVED = """\
import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_variables
        return 2 * x * grad


class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        return Square.apply(x)
"""


def fixes(text: str) -> int:
    """How many safe fixes there are."""
    return sum(count for _, count in fix_source(text, "net.py", Settings(), False).fixed)


@pytest.mark.parametrize(
    "line", ["# catch_warnings, warnings.filters", "import warnings\nwarnings.simplefilter('ignore')"]
)
def test_what_only_mentions_filters_changes_no_proof(line: str) -> None:
    assert fixes(f"{line}\n{SAVED}") == fixes(SAVED) == 1
