"""torch.export keeps .item() as a symbol, of functions that only an exported module calls."""
import torch
from torch import nn


def metric(x):
    return x / x.max().item()


class Wrap(nn.Module):
    def __init__(self, fn):
        super().__init__()
        self.fn = fn

    def forward(self, x):
        return self.fn(x)


def run():
    torch.export.export(Wrap(metric), (torch.rand(4),))
    torch.export.export(Wrap(metric), (torch.rand(4),), strict=True)
