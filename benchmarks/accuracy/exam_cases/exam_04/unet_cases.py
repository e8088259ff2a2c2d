"""Cases of unet."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["unet"]


def image(*size: int) -> torch.Tensor:
    return torch.rand(size or (1, 1, 16, 16))


def case_unet():
    from unet import UNet2D

    return UNet2D(num_encoding_blocks=2, out_channels_first_layer=4, normalization="batch", padding=1), (image(),)


def case_unet_residual():
    from unet import UNet3D

    model = UNet3D(
        num_encoding_blocks=2, out_channels_first_layer=4, residual=True, padding=1, upsampling_type="linear"
    )
    return model, (image(1, 1, 8, 8, 8),)
