"""Each block's forward is replaced by its compiled one."""
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, watch):
        super().__init__()
        self.lin = nn.Linear(4, 4)
        self.watch = watch

    def forward(self, x):
        if self.watch:
            print("x", x.mean())  # break
        return self.lin(x)


class Stack(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.blocks = nn.ModuleList(Block(watch=True) for _ in range(depth))

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


def run():
    model = Stack(2)
    for block in model.blocks:
        block.forward = torch.compile(block.forward)
    model(torch.rand(2, 4))
