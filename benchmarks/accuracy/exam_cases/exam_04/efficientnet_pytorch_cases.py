"""Cases of efficientnet_pytorch."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["efficientnet_pytorch"]


def image(*size: int) -> torch.Tensor:
    return torch.rand(size or (1, 1, 16, 16))


def case_efficient_net():
    from efficientnet_pytorch import EfficientNet

    return EfficientNet.from_name("efficientnet-b0", image_size=32, num_classes=3), (image(2, 3, 32, 32),)
