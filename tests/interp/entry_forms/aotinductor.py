"""torch._inductor.aoti_compile_and_package of what was exported."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.lin = nn.Linear(dim, dim)

    def gate(self, x):
        if x.mean() > 0:  # break
            return x * 2
        return x

    def forward(self, x):
        return self.gate(self.lin(x))


def run():
    program = torch.export.export(Net(4), (torch.rand(2, 4),))
    torch._inductor.aoti_compile_and_package(program)
