"""map(torch.compile, ...)."""
import torch


def forward_loss(x):
    return x.sum().item()  # break


def backward_loss(x):
    return x.mean().item()  # break


first, second = map(torch.compile, (forward_loss, backward_loss))


def run():
    first(torch.rand(4))
    second(torch.rand(4))
