"""A compiled closure, and what it closes over decides a branch."""
import torch


def make_loss(weight, debug):
    def loss(x):
        y = (weight * x).sum()
        if debug:
            print("loss", y)  # break
        return y

    return torch.compile(loss)


def run():
    make_loss(2.0, True)(torch.rand(4))
