"""module.compile()."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, debug):
        super().__init__()
        self.lin = nn.Linear(4, 4)
        self.debug = debug

    def forward(self, x):
        if self.debug:
            print("in", x.shape)  # break
        return self.lin(x)


def run():
    net = Net(True)
    net.compile()
    net(torch.rand(2, 4))
