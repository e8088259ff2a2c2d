"""torch.compile(model.method) of a module's method apart from forward."""
import torch
from torch import nn


class Auto(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Linear(4, 2)
        self.dec = nn.Linear(2, 4)

    def encode(self, x):
        z = self.enc(x)
        print("code", z.mean())  # break
        return z

    def decode(self, z):
        print("code", z.mean())
        return self.dec(z)

    def forward(self, x):
        return self.dec(self.enc(x))


def run():
    model = Auto()
    encode = torch.compile(model.encode)
    model.decode(encode(torch.rand(2, 4)))
