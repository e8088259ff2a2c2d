"""torch.jit and torch.fx are other compilers."""
import torch
from torch import nn


def gate(x):
    if bool(x.sum() > 0):
        return x * 2
    return x


class Net(nn.Module):
    def encode(self, x):
        return gate(x)

    def forward(self, x):
        return x * 2


def run():
    torch.jit.script(gate)(torch.rand(4))
    torch.jit.trace(lambda x: x * x.max(), torch.rand(4))(torch.rand(4))
    torch.fx.symbolic_trace(Net())(torch.rand(4))
