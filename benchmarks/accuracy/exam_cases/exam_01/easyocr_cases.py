"""Cases of easyocr."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["easyocr"]


def image(channels: int = 3, size: int = 64, n: int = 2) -> torch.Tensor:
    return torch.rand(n, channels, size, size)


def case_text_detector():
    from easyocr.craft import CRAFT

    return CRAFT(pretrained=False), (image(size=64, n=1),)


def case_text_reader():
    from easyocr.model.model import Model

    return Model(1, 32, 16, 10), (torch.rand(1, 1, 64, 100), torch.zeros(1, 5).long())


def case_text_reader_of_vgg():
    from easyocr.model.vgg_model import Model

    return Model(1, 32, 16, 10), (torch.rand(1, 1, 64, 100), torch.zeros(1, 5).long())
