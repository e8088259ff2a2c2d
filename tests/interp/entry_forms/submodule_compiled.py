"""self.net.encoder = torch.compile(self.net.encoder)."""
import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, log):
        super().__init__()
        self.lin = nn.Linear(4, 4)
        self.log = log

    def forward(self, x):
        if self.log:
            print("in", x.mean())  # break
        return self.lin(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = Encoder(True)

    def forward(self, x):
        return self.encoder(x)


class Runner:
    def __init__(self):
        self.net = Net()
        self.net.encoder = torch.compile(self.net.encoder)

    def go(self, x):
        return self.net(x)


def run():
    Runner().go(torch.rand(2, 4))
