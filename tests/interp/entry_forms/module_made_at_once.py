"""torch.compile(Net(...))."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, dim, debug=False):
        super().__init__()
        self.lin = nn.Linear(dim, dim)
        self.debug = debug

    def forward(self, x):
        y = self.lin(x)
        if self.debug:
            print("out", y.shape)  # break
        return y


def run():
    net = torch.compile(Net(4, debug=True))
    net(torch.rand(2, 4))
