# fullgraph=True captures what `.item()` gives, whatever form the call of the compiler has; other breaks are errors.
import functools
import torch
from torch import nn

class Inner(nn.Module):
    def forward(self, x):
        print("x")  # BRK101
        return x * x.max().item()

class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
    def forward(self, x):
        if x.sum() > 0:  # BRK301
            return self.inner(x)
        return x

def f(x: torch.Tensor):
    return x * x.sum().item()

strict = functools.partial(torch.compile, fullgraph=True)
h = Head()
h.compile(fullgraph=True)
g = strict(f)

@torch.compile(disable=True)
def off(x):
    return x.sum().item()

@torch.compile(fullgraph=True, dynamic=True)
def on(x):
    return x.sum().item()

@torch.compile(mode="reduce-overhead", options={"a": 1})
def default(x):
    return x.sum().item()  # BRK201
