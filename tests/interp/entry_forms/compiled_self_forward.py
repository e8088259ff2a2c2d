"""self.forward = torch.compile(self.forward) in the constructor."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, report):
        super().__init__()
        self.lin = nn.Linear(4, 4)
        self.report = report
        self.forward = torch.compile(self.forward)

    def forward(self, x):
        y = self.lin(x)
        if self.report:
            print("y", y.mean())  # break
        return y


def run():
    Net(True)(torch.rand(2, 4))
