"""Cases of torchtuples."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["torchtuples"]


def case_plain_perceptron():
    from torchtuples.practical import MLPVanilla

    return MLPVanilla(4, [8, 8], 1, dropout=0.1), (torch.randn(8, 4),)


def case_mixed_perceptron():
    from torchtuples.practical import MixedInputMLP

    return MixedInputMLP(4, [5], [3], [8], 1), (torch.randn(8, 4), torch.randint(0, 5, (8, 1)))
