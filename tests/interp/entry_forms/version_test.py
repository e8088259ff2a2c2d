"""What is compiled where torch is new enough."""
import sys

import torch


def step(x):
    return x / x.sum().item()  # break


def loss(x):
    return x / x.max().item()  # break


def old(x):
    return x / x.min().item()


if int(torch.__version__.split(".")[0]) >= 2:
    step = torch.compile(step)
if sys.version_info >= (3, 8) and torch.__version__ >= "2.0":
    loss = torch.compile(loss)
if sys.version_info < (3, 6):
    old = torch.compile(old)


def run():
    old(loss(step(torch.rand(4))))
