import torch
from torch import nn

from captioner.layers import Pool, Router, Scale


class Captioner(nn.Module):
    def __init__(self, dim=32, experts=2):
        super().__init__()
        self.scale = Scale()
        self.router = Router(dim, experts)
        self.pool = Pool()
        self.head = nn.Linear(dim, 10)
        self.calls = 0

    def forward(self, x, lengths):
        self.calls += 1
        x = self.scale(x)
        if torch.isnan(x).any():
            raise ValueError("NaN in the input")
        print("shape", x.shape)
        batch, time, dim = x.shape
        x = self.router(x.reshape(-1, dim)).reshape(batch, time, dim)
        return self.head(self.pool(x, lengths))


def get_inputs():
    return [torch.randn(4, 8, 32), torch.tensor([8, 3, 5, 8])]
