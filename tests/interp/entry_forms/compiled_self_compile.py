"""self.compile() in the constructor."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, report):
        super().__init__()
        self.lin = nn.Linear(4, 4)
        self.report = report
        self.compile()

    def forward(self, x):
        if self.report:
            print("x", x.mean())  # break
        return self.lin(x)

    def encode(self, x):
        return self.lin(x).mean().item()


def run():
    net = Net(True)
    net(torch.rand(2, 4))
    net.encode(torch.rand(2, 4))
