"""Cases of entmax."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["entmax"]


def activation(name: str, **options):
    import entmax

    return getattr(entmax, name)(**options), (torch.randn(4, 6),)


def case_sparsemax():
    return activation("Sparsemax")


def case_entmax_of_some():
    return activation("Entmax15", k=3)


def case_entmax_by_bisection():
    return activation("EntmaxBisect")


def case_norm_max():
    return activation("NormmaxBisect")


def case_budget():
    return activation("BudgetBisect")


def case_entmax_loss():
    import entmax

    return entmax.Entmax15Loss(k=3), (torch.randn(4, 6), torch.tensor([0, 1, 5, 3]))


def case_sparsemax_loss():
    import entmax

    return entmax.SparsemaxLoss(), (torch.randn(4, 6), torch.tensor([0, 1, 5, 2]))
