"""Patterns that break the graph, as forward methods, with what GraphMend's published rules say of each."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import Any

import torch

MODEL = """\
import logging

import torch

logger = logging.getLogger(__name__)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.n = 0
        self.register_buffer("row", torch.linspace(-1, 1, 8))

    def forward(self, {arguments}):
{forward}
"""


@dataclass(frozen=True)
class Row:
    """One pattern. `applied` is the forward method as GraphMend's rule rewrites it, where it does and can be wrong."""

    pattern: str
    forward: str
    published: str
    applied: str = ""
    signature: str = "x: torch.Tensor"

    @property
    def text(self) -> str:
        """The source of the model."""
        return self.with_forward(self.forward)

    def with_forward(self, forward: str) -> str:
        """The source of the model with another forward method."""
        return MODEL.format(arguments=self.signature, forward=textwrap.indent(forward, " " * 8))

    def arguments(self, sign: int) -> tuple[Any, ...]:
        """What forward is called with: a tensor of mostly one sign, and a mask where there is one."""
        x = torch.linspace(-1, 3, 32).view(4, 8) * sign
        return (x, torch.ones(4, 8, dtype=torch.bool) if sign == 1 else x > 0) if "mask" in self.signature else (x,)


BRANCH = "if x.sum() > 0:\n    y = x * 2\nelse:\n    y = x - 1\nreturn y"
BRANCH_APPLIED = "c = x.sum() > 0\nt = x * 2\nf = x - 1\ny = torch.where(c, t, f)\nreturn y"
GUARD = 'if not mask.all():\n    raise ValueError("mask must be all true")\nreturn x * mask'
ROWS = (
    Row(
        "print of a tensor", "print(x.sum())\nreturn x * 2", "Defer: a clone is buffered, printed when the region ends"
    ),
    Row(
        "print of an f-string",
        'print(f"sum {x.sum()}")\nreturn x * 2',
        "Defer: the print is buffered, its f-string stays in the traced code",
    ),
    Row("print in a loop", "for i in range(2):\n    print(i, x.sum())\nreturn x * 2", "Defer, as above, in every turn"),
    Row(
        "logger",
        'logger.info("mean %s", x.mean())\nreturn x * 2',
        "Defer, when the program is started by `jac run`: a forward hook logs later",
    ),
    Row("if/else of infix values", BRANCH, "Where: both sides are computed", applied=BRANCH_APPLIED),
    Row(
        "if without else",
        "y = x * 2\nif y.sum() > 0:\n    y = y * 3\nreturn y",
        "Where, with the value as it was",
        applied="y = x * 2\nc = y.sum() > 0\ny = torch.where(c, y * 3, y)\nreturn y",
    ),
    Row(
        "branch with calls",
        "if x.sum() > 0:\n    y = torch.sin(x)\nelse:\n    y = torch.cos(x)\nreturn y",
        "declines: a branch value holds a call",
    ),
    Row(
        "elif",
        "if x.sum() > 9:\n    y = x * 2\nelif x.sum() > 0:\n    y = x * 3\nelse:\n    y = x - 1\nreturn y",
        "declines: the else is no plain else",
    ),
    Row("ternary", "return x * 2 if x.sum() > 0 else x - 1", "not looked at: only `if` statements are"),
    Row(
        "comparison, indexed",
        "if (x > 0)[0, 7]:\n    y = x * 2\nelse:\n    y = x - 1\nreturn y",
        "not detected: the condition names no method such as `sum`",
    ),
    Row(
        "module that mentions training",
        "scale = 1.0 if self.training else 2.0\n" + BRANCH.replace("x * 2", "x * scale"),
        "declines: the module may be trained",
    ),
    Row(
        "guard, annotated argument",
        GUARD,
        "Trap: `torch._assert_async`",
        signature="x: torch.Tensor, mask: torch.Tensor",
    ),
    Row(
        "guard, argument without annotation", GUARD, "declines unless every caller shows a tensor", signature="x, mask"
    ),
    Row(
        "guard, f-string message",
        GUARD.replace('"mask must be all true"', 'f"mask of {mask.shape} must be all true"'),
        "declines: the message is no literal",
        signature="x: torch.Tensor, mask: torch.Tensor",
    ),
    Row("`.item()`", "s = x.abs().sum().item()\nreturn x / (s + 1)", "not looked at: no branch, guard or print"),
    Row(
        "list of items",
        "low, high = [t.item() for t in (x.min(), x.max())]\nreturn (x - low) / (high - low)",
        "not looked at",
    ),
    Row("nonzero", "count = (x > 0).nonzero().shape[0]\nreturn x / (count + 1)", "not looked at"),
    Row(
        "`if not (x.sum() > 0)`",
        "if not (x.sum() > 0):\n    y = x * 2\nelse:\n    y = x - 1\nreturn y",
        "Where, with a Python bool as its condition",
        applied="c = not (x.sum() > 0)\nt = x * 2\nf = x - 1\ny = torch.where(c, t, f)\nreturn y",
    ),
    Row(
        "branches of different shape",
        "if x.sum() > 0:\n    y = x\nelse:\n    y = self.row\nreturn y * 2",
        "Where: shape and dtype are assumed to agree",
        applied="c = x.sum() > 0\nt = x\nf = self.row\ny = torch.where(c, t, f)\nreturn y * 2",
    ),
    Row(
        "untaken `n // 0`",
        "if x.sum().abs() > -1:\n    y = x * 2\nelse:\n    y = x * (5 // self.n)\nreturn y",
        "Where: values without a call are assumed never to raise",
        applied="c = x.sum().abs() > -1\nt = x * 2\nf = x * (5 // self.n)\ny = torch.where(c, t, f)\nreturn y",
    ),
)
