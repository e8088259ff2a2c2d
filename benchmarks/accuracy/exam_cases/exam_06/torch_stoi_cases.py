"""Cases of torch_stoi."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["torch_stoi"]


def stoi(**options):
    from torch_stoi import NegSTOILoss

    return NegSTOILoss(sample_rate=10000, **options), (torch.randn(2, 8000), torch.randn(2, 8000))


def case_stoi():
    return stoi()


def case_stoi_without_activity():
    return stoi(use_vad=False)


def case_stoi_extended():
    return stoi(extended=True)


def case_stoi_that_resamples():
    from torch_stoi import NegSTOILoss

    return NegSTOILoss(sample_rate=16000), (torch.randn(2, 12000), torch.randn(2, 12000))
