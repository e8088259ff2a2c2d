"""torch.compile(obj.method)."""
import torch


class Filter:
    def __init__(self, size):
        self.size = size

    def apply(self, x):
        y = x[: self.size]
        if y.sum() > 0:  # break
            y = y * 2
        return y

    def plain(self, x):
        if x.sum() > 0:
            x = x * 2
        return x


smooth = Filter(3)
fast = torch.compile(smooth.apply)


def run():
    fast(smooth.plain(torch.rand(4)))
