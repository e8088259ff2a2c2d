"""Cases of voxelmorph."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["voxelmorph"]


def image(channels: int = 3, size: int = 64, n: int = 2) -> torch.Tensor:
    return torch.rand(n, channels, size, size)


def case_registration():
    from voxelmorph.nn.models import VxmPairwise

    return VxmPairwise(2, 1, 1, nb_features=[4, 4, 4, 4], integration_steps=3), (image(1, 32, 1), image(1, 32, 1))


def case_registration_in_space():
    from voxelmorph.nn.models import VxmPairwise

    volume = torch.rand(1, 1, 16, 16, 16)
    return VxmPairwise(3, 1, 1, nb_features=[4, 4, 4], integration_steps=2), (volume, volume.flip(2))


def case_spatial_transformer():
    from voxelmorph.nn.modules import SpatialTransformer

    return SpatialTransformer(), (image(1, 16, 1), torch.rand(1, 2, 16, 16))


def case_integrated_field():
    from voxelmorph.nn.modules import IntegrateVelocityField

    return IntegrateVelocityField(steps=3), (torch.rand(1, 2, 16, 16),)
