"""Cases of torch_pesq."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from torch import nn

PACKAGES = ["torch_pesq"]


def case_pesq():
    from torch_pesq import PesqLoss

    return PesqLoss(0.5, sample_rate=16000), (torch.randn(1, 16000) * 0.1, torch.randn(1, 16000) * 0.1)


class Mos(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        from torch_pesq import PesqLoss

        self.pesq = PesqLoss(0.5, sample_rate=44100)

    def forward(self, ref, deg):
        return self.pesq.mos(ref, deg)


def case_pesq_as_a_score():
    return Mos(), (torch.randn(1, 44100) * 0.1, torch.randn(1, 44100) * 0.1)
