import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 4)
        self.norms = []

    def forward(self, x):
        return torch.relu(self.lin(x))


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()

    def forward(self, x):
        return checkpoint(self.block, x, use_reentrant=False)


class Reentrant(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()

    def forward(self, x):
        return checkpoint(self.block, x, use_reentrant=True)


class Effect(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()
        self.seen = []

    def inner(self, x):
        y = self.block(x)
        self.seen.append(y.shape[0])  # BRK109
        return y

    def forward(self, x):
        return checkpoint(self.inner, x, use_reentrant=False)


class TensorHook(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()

    def forward(self, x):
        y = self.block(x)
        y.register_hook(lambda g: g * 2)
        return y.sum()


def run():
    outs = []
    for cls in (Plain, Reentrant, Effect, TensorHook):
        torch.manual_seed(0)
        net = cls()
        m = torch.compile(net)
        x = torch.ones(2, 4, requires_grad=True)
        y = m(x)
        y.sum().backward()
        outs += [y.detach(), x.grad]
    return outs
