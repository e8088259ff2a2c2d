"""Cases of pytorch_toolbelt."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["pytorch_toolbelt"]


def toolbelt(name: str, target: torch.Tensor | None = None, **options):
    from pytorch_toolbelt import losses

    return getattr(losses, name)(**options), (
        torch.randn(2, 1, 4, 4),
        torch.randint(0, 2, (2, 1, 4, 4)) if target is None else target,
    )


def case_binary_focal():
    return toolbelt("BinaryFocalLoss", alpha=0.5, ignore_index=-1)


def case_lovasz():
    return toolbelt("BinaryLovaszLoss", target=torch.randint(0, 2, (2, 4, 4)), ignore_index=-1)


def case_lovasz_of_classes():
    from pytorch_toolbelt.losses import LovaszLoss

    return LovaszLoss(), (torch.randn(2, 3, 4, 4).softmax(1), torch.randint(0, 3, (2, 4, 4)))


def case_dice():
    return toolbelt("DiceLoss", mode="binary")


def case_jaccard():
    return toolbelt("JaccardLoss", mode="binary")


def case_bi_tempered():
    from pytorch_toolbelt.losses import BiTemperedLogisticLoss

    return BiTemperedLogisticLoss(0.8, 1.4), (
        torch.randn(2, 3),
        torch.tensor([[1.0, 0, 0], [0, 1, 0]]),
    )


def case_soft_cross_entropy():
    from pytorch_toolbelt.losses import SoftCrossEntropyLoss

    return SoftCrossEntropyLoss(smooth_factor=0.1, ignore_index=-100), (
        torch.randn(4, 3),
        torch.tensor([0, 2, 1, -100]),
    )


def case_wing():
    return toolbelt("WingLoss", target=torch.randn(2, 1, 4, 4))


def case_balanced_bce():
    return toolbelt("BalancedBCEWithLogitsLoss")


def case_quality_focal():
    return toolbelt("QualityFocalLoss", target=torch.rand(2, 1, 4, 4))
