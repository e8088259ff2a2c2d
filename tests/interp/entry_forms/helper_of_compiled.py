"""What is compiled calls functions and objects of the file."""
import torch


class Tracker:
    def __init__(self):
        self.values = []

    def track(self, v):
        self.values.append(v.item())  # break


tracker = Tracker()


def project(x):
    y = x / x.norm()
    tracker.track(y.max())
    return y


def describe(x):
    tracker.track(x.max())


@torch.compile
def pipeline(x):
    y = project(x)
    return y + 1


def run():
    describe(pipeline(torch.rand(4)))
