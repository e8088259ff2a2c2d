"""Cases of swin_transformer_pytorch."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["swin_transformer_pytorch"]


def image(channels: int = 3, size: int = 64, n: int = 2) -> torch.Tensor:
    return torch.rand(n, channels, size, size)


def case_swin():
    from swin_transformer_pytorch import SwinTransformer

    model = SwinTransformer(
        hidden_dim=16, layers=(2, 2, 2, 2), heads=(1, 1, 2, 2), head_dim=8, window_size=2, num_classes=5
    )
    return model, (image(n=1),)
