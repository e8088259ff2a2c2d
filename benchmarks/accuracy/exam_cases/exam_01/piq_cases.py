"""Cases of piq."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["piq"]


def image(channels: int = 3, size: int = 64, n: int = 2) -> torch.Tensor:
    return torch.rand(n, channels, size, size)


def quality(name: str, size: int = 64, **options):
    import piq

    return getattr(piq, name)(**options), (image(size=size), image(size=size))


def case_ssim():
    return quality("SSIMLoss")


def case_multi_scale_ssim():
    return quality("MultiScaleSSIMLoss", 192)


def case_gmsd():
    return quality("GMSDLoss")


def case_multi_scale_gmsd():
    return quality("MultiScaleGMSDLoss", chromatic=True)


def case_vif():
    return quality("VIFLoss")


def case_fsim():
    return quality("FSIMLoss")


def case_vsi():
    return quality("VSILoss", 128)


def case_mdsi():
    return quality("MDSILoss")


def case_haarpsi():
    return quality("HaarPSILoss")


def case_srsim():
    return quality("SRSIMLoss", 128)


def case_dss():
    return quality("DSSLoss")


def case_weighted_ssim():
    return quality("InformationWeightedSSIMLoss", 192)


def case_total_variation():
    import piq

    return piq.TVLoss(), (image(),)


def case_fid():
    import piq

    return piq.FID(), (torch.rand(8, 4), torch.rand(8, 4))


def case_inception_score():
    import piq

    return piq.IS(num_splits=2), (torch.rand(8, 4), torch.rand(8, 4))
