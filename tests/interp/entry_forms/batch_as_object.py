"""A batch as a named tuple and as a dataclass, with a configuration."""
from dataclasses import dataclass
from typing import NamedTuple

import torch


class Pair(NamedTuple):
    x: torch.Tensor
    y: torch.Tensor


@dataclass
class Options:
    clip: bool = True
    trace: bool = False


@torch.compile
def loss(pair: Pair, options: Options):
    d = (pair.x - pair.y).abs()
    if options.trace:
        print("d", d.max())
    if options.clip:
        d = d / d.max().item()  # break
    return d.mean()


def run():
    loss(Pair(torch.rand(4), torch.rand(4)), Options())
