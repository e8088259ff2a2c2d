"""The text of a whole model file around a forward method."""

from __future__ import annotations

HEAD = """\
import os, sys, time
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.linspace(0.5, 1.5, 4))

"""
TAIL = """

def get_inputs():
    return [torch.tensor([[-1.0, 0.5, 2.0, 3.0], [1.0, 4.0, 5.0, 6.0]])]
"""


def model(forward: str) -> str:
    """A whole file around the lines of a forward method."""
    lines = "\n".join(f"        {line}" if line else "" for line in forward.strip("\n").splitlines())
    return f"{HEAD}    def forward(self, x):\n{lines}\n{TAIL}"
