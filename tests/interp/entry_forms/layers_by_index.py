"""model.layers[i] = torch.compile(layer)."""
import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 4)

    def forward(self, x):
        y = self.lin(x)
        if y.sum() > 100:  # break
            y = y / 2
        return y


class Stack(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.layers = nn.ModuleList([Layer() for _ in range(depth)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


def compile_blocks(model):
    for i, layer in enumerate(model.layers):
        model.layers[i] = torch.compile(layer)
    return model


def run():
    compile_blocks(Stack(2))(torch.rand(2, 4))
