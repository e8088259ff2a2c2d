"""@torch.compile on a class of modules."""
import torch
from torch import nn


@torch.compile
class Net(nn.Module):
    def __init__(self, watch=True):
        super().__init__()
        self.lin = nn.Linear(4, 4)
        self.watch = watch

    def forward(self, x):
        if self.watch:
            print("x", x.mean())  # break
        return self.lin(x) * 2


def run():
    Net()(torch.rand(2, 4))
