"""Cases of byol_pytorch."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from torch import nn

PACKAGES = ["byol_pytorch"]


def backbone():
    return nn.Sequential(nn.Conv2d(3, 8, 3), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 8))


def case_byol():
    from byol_pytorch import BYOL

    model = BYOL(backbone(), image_size=16, hidden_layer=-1, projection_size=16, projection_hidden_size=32)
    return model, (torch.rand(4, 3, 16, 16),)


def case_byol_without_momentum():
    from byol_pytorch import BYOL

    model = BYOL(
        backbone(), 16, hidden_layer=-1, projection_size=16, projection_hidden_size=32, use_momentum=False,
        use_simplicial_embeddings=False,
    )  # fmt: skip
    return model, (torch.rand(4, 3, 16, 16),)


def case_byol_embedding():
    from byol_pytorch import BYOL

    model = BYOL(backbone(), image_size=16, hidden_layer=-1, projection_size=16, projection_hidden_size=32)
    return model, (torch.rand(4, 3, 16, 16),), {"return_embedding": True}
