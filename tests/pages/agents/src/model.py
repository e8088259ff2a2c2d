import torch
from torch import nn


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.mix = nn.Linear(64, 64)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = self.mix(x)
        return h / h.abs().max().item()


def get_inputs():
    return [torch.randn(8, 64)]
