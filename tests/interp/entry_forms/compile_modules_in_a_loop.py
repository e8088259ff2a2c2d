"""A new compiled module in every turn of a loop."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.lin = nn.Linear(4, width)

    def forward(self, x):
        return self.lin(x).relu()


def run():
    for width in (2, 3, 5):
        net = torch.compile(Net(width))
        net(torch.rand(2, 4))
