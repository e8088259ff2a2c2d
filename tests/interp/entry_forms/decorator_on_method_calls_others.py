"""A compiled method of a plain class calls methods of the same object."""
import torch


class Meter:
    def __init__(self):
        self.total = 0.0

    def add(self, value):
        self.total += value.item()  # break

    def show(self, value):
        print(value.item())

    @torch.compile
    def update(self, x):
        y = x.relu()
        self.add(y.sum())
        return y


def run():
    meter = Meter()
    meter.show(meter.update(torch.rand(4)).sum())
