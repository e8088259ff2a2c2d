"""Functions that the package's user compiles."""
import torch


def sharpen(x, amount):
    y = x + amount * (x - x.mean())
    if y.abs().max() > 10:  # break
        y = y.clamp(-10, 10)
    return y


def soften(x, amount):
    y = x - amount * (x - x.mean())
    if y.abs().max() > 10:
        y = y.clamp(-10, 10)
    return y


class Pipeline:
    def __init__(self, steps):
        self.steps = steps

    def apply(self, x):
        for step in self.steps:
            x = step(x)
        return x / torch.linalg.norm(x).item()  # break

    def describe(self, x):
        return torch.linalg.norm(x).item()
