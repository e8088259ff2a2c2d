"""Cases of efficientnet_pytorch."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["efficientnet_pytorch"]


def case_efficientnet():
    from efficientnet_pytorch import EfficientNet

    return EfficientNet.from_name("efficientnet-b0", image_size=64), (torch.rand(2, 3, 64, 64),)
