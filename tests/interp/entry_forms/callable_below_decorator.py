"""@torch.compile on __call__."""
import torch


class Transform:
    def __init__(self, mean):
        self.mean = mean

    @torch.compile
    def __call__(self, x):
        y = x - self.mean
        return y / y.std().item()  # break


def run():
    Transform(0.5)(torch.rand(4))
