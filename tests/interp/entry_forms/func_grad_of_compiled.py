"""torch.func transforms inside what is compiled, and of what is compiled."""
import torch


def loss(w, x):
    y = (w * x).sum()
    print("loss", y)  # break
    return y


@torch.compile
def gradient(w, x):
    return torch.func.grad(loss)(w, x)


def plain(x):
    print("plain", x.sum())
    return x


def run():
    gradient(torch.rand(4), plain(torch.rand(4)))
