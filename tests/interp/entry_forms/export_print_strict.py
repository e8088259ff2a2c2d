"""print in what torch.export is given, strict."""
import torch
from torch import nn


def watch(x):
    print("watch", x.shape)
    return x * 2


class Wrap(nn.Module):
    def __init__(self, fn):
        super().__init__()
        self.fn = fn

    def forward(self, x):
        return self.fn(x)


def run():
    torch.export.export(Wrap(watch), (torch.rand(4),), strict=True)
