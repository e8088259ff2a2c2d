"""Each block of a model is compiled in a loop, with setattr."""
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, trace):
        super().__init__()
        self.lin = nn.Linear(4, 4)
        self.trace = trace

    def forward(self, x):
        if self.trace:
            print("block", x.shape)  # break
        return self.lin(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Block(True)
        self.second = Block(True)

    def forward(self, x):
        return self.second(self.first(x))


def run():
    net = Net()
    for name, child in net.named_children():
        setattr(net, name, torch.compile(child))
    net(torch.rand(2, 4))
