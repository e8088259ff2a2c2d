"""Cases of pytorch_pretrained_vit."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["pytorch_pretrained_vit"]


def image(channels: int = 3, size: int = 64, n: int = 2) -> torch.Tensor:
    return torch.rand(n, channels, size, size)


def case_vision_transformer():
    from pytorch_pretrained_vit import ViT

    model = ViT(image_size=32, patches=8, dim=16, ff_dim=32, num_heads=2, num_layers=2, num_classes=5)
    return model, (image(size=32),)
