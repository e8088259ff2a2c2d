"""A model is wrapped after it was compiled."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, peek):
        super().__init__()
        self.lin = nn.Linear(4, 4)
        self.peek = peek

    def forward(self, x):
        if self.peek:
            print("x", x.mean())  # break
        return self.lin(x)


class Wrapper(nn.Module):
    def __init__(self, module):
        super().__init__()
        self.module = module

    def forward(self, *args):
        return self.module(*args)


def run():
    Wrapper(torch.compile(Net(peek=True)))(torch.rand(2, 4))
