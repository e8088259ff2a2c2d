"""Cases of effdet."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["effdet"]


def image(channels: int = 3, size: int = 64, n: int = 2) -> torch.Tensor:
    return torch.rand(n, channels, size, size)


def detector(size: int = 128):
    import effdet

    config = effdet.get_efficientdet_config("tf_efficientdet_d0")
    config.update({"image_size": (size, size), "num_classes": 3})
    return effdet.EfficientDet(config, pretrained_backbone=False)


def case_efficientdet():
    return detector(), (image(size=128),)


def case_detection_training():
    import effdet

    boxes = torch.tensor([[[4.0, 4.0, 40.0, 40.0]]] * 2)
    target = {
        "bbox": boxes,
        "cls": torch.ones(2, 1),
        "img_size": torch.tensor([[128.0, 128.0]] * 2),
        "img_scale": torch.ones(2),
    }
    return effdet.DetBenchTrain(detector()), (image(size=128), target)
