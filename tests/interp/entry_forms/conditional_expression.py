"""model if flag else torch.compile(model)."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, verbose):
        super().__init__()
        self.lin = nn.Linear(4, 4)
        self.verbose = verbose

    def forward(self, x):
        if self.verbose:
            print(x.shape)  # break
        return self.lin(x)


def loss_of(x):
    return x.sum().item()  # break


def other(x):
    return x.sum().item()


DEBUG = False
loss = loss_of if DEBUG else torch.compile(loss_of)
never = torch.compile(other) if DEBUG else other


def run():
    net = Net(True) if DEBUG else torch.compile(Net(True))
    y = net(torch.rand(2, 4))
    loss(y)
    never(y)
