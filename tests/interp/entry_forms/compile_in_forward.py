"""torch.compile in forward, at every call."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 4)

    def act(self, x):
        return x.relu() * 2

    def forward(self, x):
        y = self.lin(x)
        return torch.compile(self.act)(y)


def run():
    net = Net()
    for _ in range(3):
        net(torch.rand(2, 4))
