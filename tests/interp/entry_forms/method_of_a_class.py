"""torch.compile(Class.method)."""
import torch


class Ops:
    gain = 2

    def scale(self, x):
        return x * self.gain / x.max().item()  # break

    @staticmethod
    def shift(x):
        return x - x.min().item()  # break

    @staticmethod
    def span(x):
        return x.max().item() - x.min().item()


scale = torch.compile(Ops.scale)
shift = torch.compile(Ops.shift)


def run():
    Ops.span(shift(scale(Ops(), torch.rand(4))))
