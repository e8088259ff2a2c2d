"""Cases of neurodiffeq."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from torch import nn

PACKAGES = ["neurodiffeq"]


def case_resnet_of_networks():
    from neurodiffeq.networks import FCNN, Resnet

    return nn.Sequential(FCNN(2, 4), Resnet(4, 1)), (torch.randn(4, 2),)


def case_sine_network():
    from neurodiffeq.networks import SinActv, Swish

    return nn.Sequential(nn.Linear(2, 4), SinActv(), nn.Linear(4, 4), Swish(trainable=True)), (torch.randn(4, 2),)
