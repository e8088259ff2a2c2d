"""Cases of pretrainedmodels."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["pretrainedmodels"]


def image(channels: int = 3, size: int = 64, n: int = 2) -> torch.Tensor:
    return torch.rand(n, channels, size, size)


def case_pretrained(name: str = "se_resnet50"):
    import pretrainedmodels

    return pretrainedmodels.__dict__[name](pretrained=None), (image(size=224, n=1),)


def case_pretrained_paths():
    return case_pretrained("dpn68")


def case_pretrained_inception():
    return case_pretrained("bninception")
