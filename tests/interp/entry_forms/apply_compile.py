"""model.apply(...) compiles blocks."""
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, watch):
        super().__init__()
        self.lin = nn.Linear(4, 4)
        self.watch = watch

    def forward(self, x):
        if self.watch:
            print("x", x.mean())  # break
        return self.lin(x)


def faster(module):
    if isinstance(module, Block):
        module.compile(dynamic=False)


def run():
    model = nn.Sequential(Block(True), nn.ReLU())
    model.apply(faster)
    model(torch.rand(2, 4))
