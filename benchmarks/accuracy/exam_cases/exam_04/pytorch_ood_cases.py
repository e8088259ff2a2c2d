"""Cases of pytorch_ood."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from pytorch_ood.detector import ASH, ODIN, EnergyBased
from torch import nn

PACKAGES = ["pytorch_ood"]


def outside(name: str, *options, size: int = 3):
    from pytorch_ood import loss

    return getattr(loss, name)(*options), (torch.randn(4, size), torch.tensor([0, 2, -1, 1]))


def case_open_set_entropy():
    return outside("EntropicOpenSetLoss")


def case_outlier_exposure():
    return outside("OutlierExposureLoss")


def case_energy_regularized():
    return outside("EnergyRegularizedLoss")


def case_objectosphere():
    from pytorch_ood.loss import ObjectosphereLoss

    return ObjectosphereLoss(), (torch.randn(4, 3), torch.randn(4, 5), torch.tensor([0, 2, -1, 1]))


def case_center_loss():
    from pytorch_ood.loss import CenterLoss

    return CenterLoss(3, 4), (torch.rand(4, 3), torch.tensor([0, 2, -1, 1]))


def case_cac_loss():
    from pytorch_ood.loss import CACLoss

    return CACLoss(3), (torch.rand(4, 3), torch.tensor([0, 2, -1, 1]))


def case_ii_loss():
    from pytorch_ood.loss import IILoss

    return IILoss(3, 4), (torch.rand(4, 4), torch.tensor([0, 2, 0, 1]))


def case_mchad_loss():
    from pytorch_ood.loss import MCHADLoss

    return MCHADLoss(3, 4), (torch.rand(4, 3), torch.tensor([0, 2, -1, 1]))


def case_svdd():
    from pytorch_ood.loss import DeepSVDDLoss

    return DeepSVDDLoss(4, center=torch.zeros(4)), (torch.rand(4, 4), torch.tensor([0, 2, -1, 1]))


def case_background_class():
    return outside("BackgroundClassLoss", 3, size=4)


def case_confidence_loss():
    from pytorch_ood.loss import ConfidenceLoss

    return ConfidenceLoss(), (torch.randn(4, 3), torch.rand(4, 1), torch.tensor([0, 2, -1, 1]))


class EnergyDetector(nn.Module):
    def forward(self, x):
        return EnergyBased(nn.Linear(4, 3)).predict(x)


def case_energy_detector():
    return EnergyDetector(), (torch.randn(2, 4),)


class ReactDetector(nn.Module):
    def forward(self, x):
        return ASH(nn.Conv2d(1, 2, 3), nn.Sequential(nn.Flatten(), nn.Linear(8, 2))).predict(x)


def case_react_detector():
    return ReactDetector(), (torch.randn(2, 1, 4, 4),)


class Odin(nn.Module):
    def forward(self, x):
        return ODIN(nn.Linear(4, 3), norm_std=None).predict(x)


def case_odin():
    return Odin(), (torch.randn(2, 4),)
