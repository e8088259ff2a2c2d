"""torch.compile(torch.func.grad(f))."""
import torch


def loss(w, x):
    y = (w * x).sum()
    print("loss", y)  # break
    return y


def run():
    gradient = torch.compile(torch.func.grad(loss))
    gradient(torch.rand(4), torch.rand(4))
