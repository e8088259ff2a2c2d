"""A class decorator compiles a method."""
import torch


def compiles(*names):
    def wrap(cls):
        for name in names:
            setattr(cls, name, torch.compile(getattr(cls, name)))
        return cls

    return wrap


@compiles("update")
class Average:
    def __init__(self):
        self.total = torch.zeros(())

    def update(self, x):
        self.total = self.total + x.sum()
        print("total", self.total)  # break
        return self.total

    def reset(self, x):
        print("total", self.total)
        self.total = x.sum() * 0


def run():
    average = Average()
    average.update(torch.rand(4))
    average.reset(torch.rand(4))
