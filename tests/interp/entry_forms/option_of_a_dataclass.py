"""A configuration's field decides what is compiled."""
from dataclasses import dataclass, field

import torch


@dataclass
class Train:
    compile: bool = True
    compile_loss: bool = False


@dataclass
class Config:
    train: Train = field(default_factory=Train)


def step(x):
    return x / x.sum().item()  # break


def loss(x):
    return x / x.max().item()


def prepare(cfg):
    fast = torch.compile(step) if cfg.train.compile else step
    slow = torch.compile(loss) if cfg.train.compile_loss else loss
    return fast, slow


def run():
    fast, slow = prepare(Config())
    slow(fast(torch.rand(4)))
