"""Code that says what to do while compiling."""
import torch


@torch.compile
def guarded(x):
    y = x * 2
    if not torch.compiler.is_compiling():
        print("y", y.sum().item())
    return y


@torch.compile
def unguarded(x):
    y = x * 2
    if torch.compiler.is_compiling():
        y = y + 1
    print("y", y.sum())  # break
    return y


def run():
    unguarded(guarded(torch.rand(4)))
