"""Cases of torchfcpe."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from torch import nn

PACKAGES = ["torchfcpe"]


def case_torchfcpe():
    from torchfcpe.models import CFNaiveMelPE

    return CFNaiveMelPE(16, 20, 16, n_heads=2, n_layers=1), (torch.rand(2, 12, 16),)


def case_torchfcpe_infer():
    from torchfcpe.models import CFNaiveMelPE

    class Infer(nn.Module):
        def __init__(self):
            super().__init__()
            self.model = CFNaiveMelPE(16, 20, 16, n_heads=2, n_layers=1)

        def forward(self, mel):
            return self.model.infer(mel, decoder="local_argmax", threshold=0.05)

    return Infer(), (torch.rand(2, 12, 16),)
