"""self.block.compile() in a constructor."""
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 4)

    def forward(self, x):
        y = self.lin(x)
        print("mean", y.mean())  # break
        return y


class Runner:
    def __init__(self):
        self.block = Block()
        self.block.compile(dynamic=False)

    def go(self, x):
        y = self.block(x)
        print("mean", y.mean())
        return y


def run():
    Runner().go(torch.rand(2, 4))
