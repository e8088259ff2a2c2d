"""Compiles functions, objects and methods that other modules define."""
import functions
import torch
from functions import Pipeline

fast = torch.compile(functions.sharpen)


def double(x):
    return x * 2


def run():
    pipeline = Pipeline([double, torch.relu])
    apply = torch.compile(pipeline.apply)
    pipeline.describe(apply(fast(torch.rand(4), 0.5)))
    functions.soften(torch.rand(4), 0.5)


if __name__ == "__main__":
    run()
