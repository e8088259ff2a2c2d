"""A constructor's setting, off by default and never turned on."""
import torch


class Trainer:
    def __init__(self, use_compile=False):
        if use_compile:
            self.step = torch.compile(self.step)

    def step(self, x):
        return x.sum().item()


class Other:
    def __init__(self, use_compile=False):
        self.loss = torch.compile(self._loss) if use_compile else self._loss

    def _loss(self, x):
        return x.max().item()  # break


def run():
    Trainer().step(torch.rand(4))
    Other(use_compile=True).loss(torch.rand(4))
