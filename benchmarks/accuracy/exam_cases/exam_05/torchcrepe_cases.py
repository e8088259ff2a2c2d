"""Cases of torchcrepe."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from torch import nn

PACKAGES = ["torchcrepe"]


def case_torchcrepe():
    from torchcrepe.model import Crepe

    return Crepe("tiny"), (torch.randn(2, 1024),)


def case_torchcrepe_predict():
    import torchcrepe

    class Pitch(nn.Module):
        def __init__(self):
            super().__init__()
            self.decoder = torchcrepe.decode.weighted_argmax

        def forward(self, logits):
            return torchcrepe.postprocess(logits, decoder=self.decoder, return_periodicity=True)

    return Pitch(), (torch.rand(1, 360, 8),)


def case_torchcrepe_filter():
    import torchcrepe

    class Smooth(nn.Module):
        def forward(self, signals):
            return torchcrepe.filter.median(signals, 3) + torchcrepe.filter.mean(signals, 3)

    return Smooth(), (torch.rand(1, 20),)
