"""An object with __call__ is compiled."""
import torch


class Loss:
    def __init__(self, margin):
        self.margin = margin

    def __call__(self, x, y):
        d = (x - y).abs() - self.margin
        if d.max() < 0:  # break
            return d.sum() * 0
        return d.clamp(min=0).mean()


class Plain:
    def __call__(self, x):
        if x.max() < 0:
            return x * 0
        return x


def run():
    loss = torch.compile(Loss(0.1))
    Plain()(loss(torch.rand(4), torch.rand(4)))
