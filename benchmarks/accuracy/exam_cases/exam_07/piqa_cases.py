"""Cases of piqa."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["piqa"]


def image(channels: int = 3, size: int = 64, n: int = 2) -> torch.Tensor:
    return torch.rand(n, channels, size, size)


def quality(name: str, size: int = 64, **options):
    import piqa

    return getattr(piqa, name)(**options), (image(size=size), image(size=size))


def case_psnr():
    return quality("PSNR")


def case_ssim():
    return quality("SSIM")


def case_ms_ssim():
    return quality("MS_SSIM", 192)


def case_gmsd():
    return quality("GMSD")


def case_ms_gmsd():
    return quality("MS_GMSD")


def case_mdsi():
    return quality("MDSI")


def case_haarpsi():
    return quality("HaarPSI")


def case_vsi():
    return quality("VSI")


def case_fsim():
    return quality("FSIM")


def case_total_variation():
    import piqa

    return piqa.TV(), (image(),)
