"""torch.export.draft_export: a branch on data is reported."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.lin = nn.Linear(dim, dim)

    def forward(self, x):
        y = self.lin(x)
        if y.sum().item() > 0:  # break
            y = y * 2
        return y


def run():
    program = torch.export.draft_export(Net(4), (torch.rand(2, 4),))
    raise RuntimeError(str(program._report))
