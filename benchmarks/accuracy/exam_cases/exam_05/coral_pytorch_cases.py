"""Cases of coral_pytorch."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from coral_pytorch import dataset as ranks
from torch import nn

PACKAGES = ["coral_pytorch"]


def case_coral():
    from coral_pytorch.layers import CoralLayer
    from coral_pytorch.losses import CoralLoss

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = CoralLayer(4, 5)
            self.loss = CoralLoss()

        def forward(self, x, levels):
            return self.loss(self.layer(x), levels)

    return Net(), (torch.rand(3, 4), ranks.levels_from_labelbatch(torch.tensor([0, 2, 4]), 5))


def case_corn():
    from coral_pytorch.losses import CornLoss

    return CornLoss(5), (torch.randn(6, 4), torch.tensor([0, 1, 2, 3, 4, 2]))


def case_levels():
    class Levels(nn.Module):
        def forward(self, labels):
            return ranks.levels_from_labelbatch(labels, 5)

    return Levels(), (torch.tensor([0, 2, 4]),)
