"""Cases of KD_Lib."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_10_c"])


PACKAGES = ["KD_Lib"]


def case_kd_lib_lstm():
    inside("KD_Lib")
    from KD_Lib.models.lstm import LSTMNet

    return LSTMNet(12, 6, 6, num_layers=2), (torch.randint(1, 12, (3, 5)), torch.tensor([5, 4, 2]))


def case_kd_lib_resnet():
    inside("KD_Lib")
    from KD_Lib.models.resnet import ResNet18

    return ResNet18([4, 4, 8, 8, 8]), (torch.rand(2, 3, 32, 32),)
