"""A forward below @torch.compile."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 4)

    @torch.compile
    def forward(self, x):
        y = self.lin(x)
        if y.sum() > 100:  # break
            y = y / 2
        return y


def run():
    Net()(torch.rand(2, 4))
