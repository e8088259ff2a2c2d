"""A helper that calls .compile() on every module of a class."""
import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, trace=False):
        super().__init__()
        self.lin = nn.Linear(4, 4)
        self.trace = trace

    def forward(self, x):
        if self.trace:
            print("layer", x.shape)  # break
        return self.lin(x)


class Stack(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.layers = nn.ModuleList([Layer(trace=True) for _ in range(depth)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


def compile_regions(model, kind):
    for module in model.modules():
        if isinstance(module, kind):
            module.compile()


def run():
    model = Stack(2)
    compile_regions(model, Layer)
    model(torch.rand(2, 4))
