"""Snippets by the property that each tests (snippets/*.txt), and the differences after safe fixes.

A snippet is a file that defines `Net`, or the body of its forward method, which then stands in MODEL.
"""

from __future__ import annotations

import textwrap
from pathlib import Path

import torch
from differential.inputs import Call
from differential.judging import Disagreement, Rewrite, disagreements_of, rewritten

MODEL = """\
import copy
import math
import warnings
import numpy as np
import torch
import torch.nn.functional as F
from torch.autograd import Variable


class Base(torch.nn.Module):
    def open_up(self):
        self.deep = True


class Net(Base):
    def __init__(self, wide=False):
        super().__init__()
        self.wide = bool(wide)
        self.gain = torch.nn.Parameter(torch.tensor(0.75))
        self.register_buffer("buffer", torch.zeros(3))
        self.register_buffer("count", torch.tensor(2))
        self.register_buffer("pair", torch.zeros(2))
        self.norm = torch.nn.BatchNorm1d(1)
        self.deep = False
        self.limit = 3
        self.mode = "slow"
        self.ticks = 0

    def tick(self):
        self.ticks += 1
        return self.ticks

    def bump(self):
        return self.count.add_(1)

    def halve(self, labels):
        labels //= 2

    def grow(self, t):
        t.resize_(1)

    def forward(self, x: torch.Tensor, y: torch.Tensor):
{body}
"""
SHAPES = [(3,), (2, 3), (), (0,)]
CALLS = [
    *(Call(shape, torch.float32, "mixed", "plain", "separate", "leaves", "grad", 1) for shape in SHAPES),
    Call((3,), torch.float32, "mixed", "plain", "separate", "none", "grad", 2),
    Call((2, 3), torch.float64, "nan", "transposed", "view", "computed", "grad", 3),
    Call((3,), torch.int64, "mixed", "plain", "same object", "none", "grad", 4),
    Call((3,), torch.uint8, "mixed", "strided", "separate", "none", "no_grad", 5),
    Call((2, 3), torch.bool, "mixed", "plain", "separate", "none", "inference", 6),
    Call((3,), torch.bfloat16, "inf", "expanded", "separate", "leaves", "no_grad", 7),
]


FOLDER = Path(__file__).with_name("snippets")


def snippets(folder: Path = FOLDER) -> dict[str, str]:
    """The snippets by their property."""
    result: dict[str, str] = {}
    for path in sorted(folder.glob("*.txt")):
        for part in path.read_text(encoding="utf-8").split("=== ")[1:]:
            name, _, code = part.partition("\n")
            text = code if "Net" in code else MODEL.format(body=textwrap.indent(code, " " * 8))
            assert result.setdefault(f"{path.stem}: {name}", text) is text, f"two snippets of one property: {name}"
    return result


def compared(text: str, unsafe: bool = False) -> tuple[Rewrite, list[Disagreement]]:
    """A snippet after safe fixes, and the differences of its behaviour."""
    rewrite = rewritten(text, unsafe)
    return rewrite, disagreements_of(text, rewrite, CALLS) if rewrite.text != text else []
