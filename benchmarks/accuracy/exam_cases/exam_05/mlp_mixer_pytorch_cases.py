"""Cases of mlp_mixer_pytorch."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["mlp_mixer_pytorch"]


def case_mixer():
    from mlp_mixer_pytorch import MLPMixer

    return MLPMixer(image_size=8, channels=3, patch_size=4, dim=8, depth=1, num_classes=3), (torch.rand(1, 3, 8, 8),)
