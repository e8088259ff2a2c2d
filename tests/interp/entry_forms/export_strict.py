"""torch.export.export(strict=True): a branch on data fails."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.lin = nn.Linear(dim, dim)

    def forward(self, x):
        y = self.lin(x)
        if y.sum() > 0:  # break
            y = y * 2
        return y


def run():
    torch.export.export(Net(4), (torch.rand(2, 4),), strict=True)
