"""Methods that are called on a compiled module, apart from forward, run in eager mode."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 4)

    def forward(self, x):
        return self.lin(x).relu()

    def score(self, x):
        return self.lin(x).sum().item()

    def sample(self, x):
        for _ in range(2):
            x = self(x)
            print("x", x.mean().item())
        return x


def run():
    net = torch.compile(Net())
    net(torch.rand(2, 4))
    net.score(torch.rand(2, 4))
    net.sample(torch.rand(2, 4))
