"""A descriptor compiles what it holds when it is read."""
import torch


class compiled_method:
    def __init__(self, fn):
        self.fn = torch.compile(fn)

    def __get__(self, obj, owner=None):
        return self.fn.__get__(obj, owner)


class Model:
    scale = 2

    @compiled_method
    def evaluate(self, x):
        y = x * self.scale
        print("y", y.sum())  # break
        return y

    def plain(self, x):
        print("x", x.sum())
        return x


def run():
    model = Model()
    model.plain(model.evaluate(torch.rand(4)))
