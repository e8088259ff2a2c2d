"""Cases of pytorch_optimizer."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["pytorch_optimizer"]


def loss(name: str, *sizes, inputs=None, **options):
    import pytorch_optimizer.loss

    made = inputs or (torch.rand(4, 6), torch.randint(0, 2, (4, 6)).float())
    return getattr(pytorch_optimizer.loss, name)(*sizes, **options), made


def classes():
    return torch.randn(4, 3), torch.randint(0, 3, (4,))


def case_bi_tempered():
    return loss("BiTemperedLogisticLoss", 0.8, 1.2, inputs=classes())


def case_binary_bi_tempered():
    inputs = torch.randn(4, 1), torch.randint(0, 2, (4, 1)).float()
    return loss("BinaryBiTemperedLogisticLoss", 0.8, 1.2, inputs=inputs)


def case_dice():
    return loss("DiceLoss", inputs=(torch.randn(2, 1, 8, 8), torch.randint(0, 2, (2, 1, 8, 8)).float()))


def case_jaccard_of_classes():
    return loss("JaccardLoss", "multiclass", inputs=(torch.randn(2, 3, 8, 8), torch.randint(0, 3, (2, 8, 8))))


def case_soft_f1():
    return loss("SoftF1Loss")


def case_focal():
    return loss("FocalLoss")


def case_focal_cosine():
    return loss("FocalCosineLoss", inputs=classes())


def case_ldam():
    return loss("LDAMLoss", [5, 3, 2], inputs=classes())


def case_lovasz_hinge():
    return loss("LovaszHingeLoss", inputs=(torch.randn(2, 8, 8), torch.randint(0, 2, (2, 8, 8))))


def case_tversky():
    return loss("TverskyLoss")
