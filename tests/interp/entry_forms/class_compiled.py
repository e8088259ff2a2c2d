"""torch.compile of a plain class: neither its constructor nor its methods are compiled."""
import torch


class Meter:
    def __init__(self, x):
        self.value = x.sum().item()

    def update(self, x):
        self.value += x.mean().item()


Fast = torch.compile(Meter)


def run():
    Fast(torch.rand(4)).update(torch.rand(4))
