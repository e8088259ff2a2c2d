"""Programs in which the code of one expression is reached in every form that Python has for it.

`EXPR` stands for the expression on the marked line.
"""

from __future__ import annotations

from textwrap import indent
from typing import Final

FORMS: dict[str, str] = {}
HEAD: Final = """import collections
import contextlib
import copy
import dataclasses
import enum
import functools
import io
import logging
import time
import typing

import torch
from torch import any as some, nn, nonzero as find
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

log = logging.getLogger(__name__)


"""
HELPER: Final = """def helper(x):
    got = EXPR  # here
    return x + 1


"""


def form(name: str, body: str, init: str = "pass", before: str = "", extra: str = "") -> None:
    """A module with these statements in its forward and constructor, this code before it and these methods."""
    FORMS[name] = f"""{HEAD}{before}class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(8, 8)
{indent(init, " " * 8)}

{extra}
    def forward(self, x):
        x = x * 2
{indent(body, " " * 8)}
        return x + 1
"""


METHOD: Final = """    def work(self, x):
        got = EXPR  # here
        return x + 1
"""
CHILD: Final = """class Child(nn.Module):
    def forward(self, x):
        got = EXPR  # here
        return x + 1


"""
PLAIN: Final = """class Plain:
    def __call__(self, x):
        got = EXPR  # here
        return x + 1


"""
