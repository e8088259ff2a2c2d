"""self.net = torch.compile(Net()) in a trainer."""
import torch
from torch import nn


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 2)

    def forward(self, x):
        y = self.lin(x)
        return y * y.mean().item()  # break


class Trainer:
    def __init__(self):
        self.net = Head()
        self.net = torch.compile(self.net)

    def fit(self, x):
        loss = self.net(x).sum()
        loss.backward()
        return loss.item()


def run():
    Trainer().fit(torch.rand(2, 4))
