"""Cases of pytorch_revgrad."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from torch import nn

PACKAGES = ["pytorch_revgrad"]


def case_revgrad():
    from pytorch_revgrad import RevGrad

    return nn.Sequential(nn.Linear(3, 3), RevGrad(alpha=2.0)), (torch.rand(2, 3),)
