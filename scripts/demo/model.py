import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, width: int = 256, debug: bool = False):
        super().__init__()
        self.mix = nn.Linear(width, width)
        self.debug = debug

    def scale(self, x):
        largest = x.abs().max().item()
        return x / (largest + 1e-6)

    def forward(self, x):
        print(f"input: {x.shape}")
        h = self.scale(self.mix(x))
        if self.debug and h.isnan().any():
            raise ValueError("NaN in the output")
        return torch.relu(h)


def get_inputs():
    return [torch.randn(64, 256)]
