"""Cases of geomloss."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["geomloss"]


def samples(**options):
    from geomloss import SamplesLoss

    return SamplesLoss(backend="tensorized", **options), (torch.rand(8, 2), torch.rand(8, 2))


def case_sinkhorn_loss():
    return samples(loss="sinkhorn", p=2, blur=0.5)


def case_unbalanced_sinkhorn():
    return samples(loss="sinkhorn", p=1, blur=0.5, reach=1.0)


def case_energy_distance():
    return samples(loss="energy")


def case_gaussian_kernel_loss():
    return samples(loss="gaussian", blur=0.5)
