"""The base class compiles, the subclass has the method."""
import torch


class Base:
    def __init__(self):
        self.fast = torch.compile(self.loss)

    def loss(self, x):
        raise NotImplementedError

    def other(self, x):
        return x.sum().item()


class Squared(Base):
    def loss(self, x):
        return (x * x).sum().item()  # break


class Absolute(Base):
    def __init__(self, scale):
        super().__init__()
        self.scale = scale

    def loss(self, x):
        y = x.abs() * self.scale
        print("loss", y.sum())  # break
        return y.sum()


def run():
    Squared().fast(torch.rand(4))
    base = Absolute(2.0)
    base.other(base.fast(torch.rand(4)))
