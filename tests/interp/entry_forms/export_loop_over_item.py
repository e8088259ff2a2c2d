"""A loop over a number read from data fails in torch.export."""
import torch
from torch import nn


def repeat(x, times):
    for _ in range(int(times[0])):  # break
        x = x * 2
    return x


class Wrap(nn.Module):
    def __init__(self, fn):
        super().__init__()
        self.fn = fn

    def forward(self, x, times):
        return self.fn(x, times)


def run():
    torch.export.export(Wrap(repeat), (torch.rand(4), torch.tensor([2])))
