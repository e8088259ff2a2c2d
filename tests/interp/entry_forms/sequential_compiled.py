"""torch.compile(nn.Sequential(...)) of one's own modules."""
import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self, watch):
        super().__init__()
        self.watch = watch

    def forward(self, x):
        if self.watch:
            print("scale", x.mean())  # break
        return x * 2


net = torch.compile(nn.Sequential(nn.Linear(4, 4), Scale(watch=True), nn.ReLU()))


def run():
    net(torch.rand(2, 4))
