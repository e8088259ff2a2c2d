"""Cases of rectified_flow_pytorch."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from torch import nn

PACKAGES = ["rectified_flow_pytorch"]


class Velocity(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Conv2d(3, 3, 3, padding=1)

    def forward(self, x, times=None, **_):
        return self.layer(x)


def flow(**options):
    from rectified_flow_pytorch import RectifiedFlow

    return RectifiedFlow(Velocity(), time_cond_kwarg="times", **options), (torch.rand(2, 3, 8, 8),)


def case_rectified_flow():
    return flow()


def case_rectified_flow_of_consistency():
    return flow(use_consistency=True)


def case_rectified_flow_predicting_noise():
    return flow(predict="noise")


def case_rectified_flow_of_optimal_transport():
    return flow(immiscible=True)


def case_unet():
    from rectified_flow_pytorch.rectified_flow import Unet

    return Unet(8, dim_mults=(1, 2)), (torch.rand(2, 3, 8, 8), torch.rand(2))
