"""def build(...): return torch.compile(Net(...))."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, dim, clip):
        super().__init__()
        self.lin = nn.Linear(dim, dim)
        self.clip = clip

    def forward(self, x):
        y = self.lin(x)
        if self.clip:
            y = y / y.norm().item()  # break
        return y


def build(dim, clip=True):
    net = Net(dim, clip)
    return torch.compile(net)


def run():
    build(4)(torch.rand(2, 4))
