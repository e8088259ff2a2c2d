"""Cases of dynamic_network_architectures."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from torch import nn

PACKAGES = ["dynamic_network_architectures"]


def image(*size: int) -> torch.Tensor:
    return torch.rand(size or (1, 1, 16, 16))


def case_plain_conv_unet():
    from dynamic_network_architectures.architectures.unet import PlainConvUNet

    return PlainConvUNet(1, 2, (4, 8), nn.Conv2d, 3, (1, 2), 1, 2, 1, deep_supervision=True), (image(),)


def case_residual_encoder_unet():
    from dynamic_network_architectures.architectures.unet import ResidualEncoderUNet

    return ResidualEncoderUNet(1, 2, (4, 8), nn.Conv2d, 3, (1, 2), 1, 2, 1, norm_op=nn.InstanceNorm2d), (image(),)
