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
CLASS = """\
import torch


class Square(torch.autograd.Function):
    @classmethod
    def forward(cls, ctx, x):
        return x * x

    @classmethod
    def backward(cls, ctx, grad):
        return 2 * grad


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(8, 8)

    def forward(self, x: torch.Tensor):
        return Square.apply(self.linear(x))
"""


def fixes(text: str) -> int:
    """How many safe fixes there are."""
    return sum(count for _, count in fix_source(text, "net.py", Settings(), False).fixed)


@pytest.mark.parametrize(
    "line", ["# catch_warnings, warnings.filters", "import warnings\nwarnings.simplefilter('ignore')"]
)
def test_what_only_mentions_filters_changes_no_proof(line: str) -> None:
    assert fixes(f"{line}\n{SAVED}") == fixes(SAVED) == 1


FILTERS = {
    "an error": "import warnings\nwarnings.simplefilter('error')",
    "under another name": "import warnings as w\nw.filters.clear()",
    "a function under another name": "from warnings import simplefilter as s\ns('error')",
    "a function that is handed on": "import warnings\nprint(warnings.simplefilter)",
    "a function by its name": "import warnings\ngetattr(warnings, 'simplefilter')('error')",
    "on lines of its own": "import warnings\nwarnings.simplefilter(\n    'error'\n)",
    "what shows warnings": "import warnings\nwarnings.showwarning = print",
}


@pytest.mark.parametrize("form", FILTERS)
def test_filters_for_warnings_are_found(form: str) -> None:
    assert fixes(f"{FILTERS[form]}\n{SAVED}") == 0


def test_a_comment_about_namespaces_changes_no_proof() -> None:
    assert fixes(f"# globals(), __subclasses__\n{CLASS}") == fixes(CLASS) == 1


@pytest.mark.parametrize(
    "line",
    [
        "print(torch.autograd.Function.__subclasses__())",
        "print(globals())",
        "from inspect import getmembers as g",
        "f = 'torch'.__class__\nprint(getattr(torch, '__dict__'))",
        "print(Square)",
    ],
)
def test_what_reaches_a_class_is_found(line: str) -> None:
    assert fixes(f"{CLASS}\n\n{line}\n") == 0
