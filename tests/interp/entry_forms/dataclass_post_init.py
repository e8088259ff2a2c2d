"""A dataclass compiles in __post_init__."""
from dataclasses import dataclass, field
from typing import Callable

import torch


@dataclass
class Objective:
    weight: float
    fast: Callable = field(init=False)

    def __post_init__(self):
        self.fast = torch.compile(self.loss)

    def loss(self, x):
        y = x * self.weight
        return y.sum().item()  # break


def run():
    Objective(0.5).fast(torch.rand(4))
