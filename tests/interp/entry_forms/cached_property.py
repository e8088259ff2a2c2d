"""A cached property that compiles."""
import functools

import torch


class Model:
    def __init__(self, scale):
        self.scale = scale

    @functools.cached_property
    def compiled(self):
        return torch.compile(self.evaluate)

    def evaluate(self, x):
        y = x * self.scale
        print("score", y.sum())  # break
        return y


def run():
    Model(2.0).compiled(torch.rand(4))
