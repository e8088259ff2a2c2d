"""Uses what another module compiled."""
import torch
from ops import rotate, turn


def run():
    rotate(torch.rand(4), torch.rand(3))
    turn(torch.rand(4), torch.rand(3))
