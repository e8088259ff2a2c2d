"""torch.compile(Net().to(...).eval()), and methods after it."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, watch):
        super().__init__()
        self.lin = nn.Linear(4, 4)
        self.watch = watch

    def forward(self, x):
        if self.watch:
            print("x", x.mean())  # break
        return self.lin(x)


def run():
    device = torch.device("cpu")
    net = torch.compile(Net(True).to(device).eval(), mode="default").float()
    net(torch.rand(2, 4))
