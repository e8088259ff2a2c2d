"""Dataclasses and named tuples: a field is what it is annotated with, or what an argument or a default says."""

from __future__ import annotations

import pytest
from harness import findings, marked

HEAD = """\
import copy
import torch
from dataclasses import dataclass, field
from typing import NamedTuple


@dataclass
class Batch:
    x: torch.Tensor
    mask: torch.Tensor | None = None
    scale: float = 1.0
    debug: bool = False
    act: str = "relu"
    names: list = field(default_factory=list)
    steps: int = field(default=0)


class Pair(NamedTuple):
    first: torch.Tensor
    second: torch.Tensor


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.off = Batch(torch.zeros(3))
        self.on = Batch(torch.zeros(3), debug=True)

"""
CASES = {
    "a dataclass that is handed in": """
    def forward(self, batch: Batch):
        print(batch.scale) if False else None
        if batch.mask is not None and batch.mask.any():  # BRK301
            pass
        return batch.x.sum().item()  # BRK201
    """,
    "a named tuple that is handed in": """
    def forward(self, pair: Pair):
        first, second = pair
        if second.sum() > 0:  # BRK301
            return first
        return pair.first.tolist()  # BRK203
    """,
    "a flag that is off by default": """
    def forward(self, x: torch.Tensor):
        if self.off.debug:
            print(x)
        return x
    """,
    "a flag that is handed in": """
    def forward(self, x: torch.Tensor):
        if self.on.debug:
            print(x)  # BRK101
        return x
    """,
    "a copy of one": """
    def forward(self, batch: Batch):
        return copy.deepcopy(batch).x
    """,
    "defaults are no None": """
    def forward(self, x: torch.Tensor):
        if self.off.act is None or self.off.names is None or self.off.steps is None or self.off.scale is None:
            print(x)
        if self.off.mask is not None:
            print(x)
        return x
    """,
}


@pytest.mark.parametrize("forward", CASES.values(), ids=CASES)
def test_found_exactly_where_marked(forward: str) -> None:
    text = HEAD + forward.lstrip("\n")
    assert findings(text) == marked(text)


RANKS = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor, flag: torch.Tensor | None = False):
        if flag:
            x = x + 1
        row = torch.tensor([1, 2, 3])
        if x[row[0]].sum() > 0:  # BRK405 BRK301
            x = x * 2
        table = torch.tensor([[True, False], [False, True]])
        return x[table]  # BRK401
"""


def test_what_a_tensor_made_of_lists_holds_and_a_flag_that_is_annotated_as_a_tensor() -> None:
    assert findings(RANKS) == marked(RANKS)


ENTRIES = """\
import torch


class Flow(torch.nn.Module):
    def inverse(self, x):
        return x.item()

    def other(self, x):
        return x.item()


class Net(torch.nn.Module):
    def forward(self, x):
        return x

    def generate(self, x):
        return x.item()


def step(x):
    return x.item()
"""


@pytest.mark.parametrize(
    ("names", "rows"), [((), [6]), (("generate", "step"), [6, 17, 21]), (("Flow.other", "Net.step"), [6, 9])]
)
def test_entry_points_besides_forward(names: tuple[str, ...], rows: list[int]) -> None:
    assert findings(ENTRIES, entry_points=names) == [(row, "BRK201") for row in rows]
