"""Cases of ptwt."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["ptwt"]


class Applied(torch.nn.Module):
    def __init__(self, function, **options) -> None:
        super().__init__()
        self.function, self.options = function, options

    def forward(self, *args):
        return self.function(*args, **self.options)


def wavelets(name: str, *args, **options):
    import ptwt

    return Applied(getattr(ptwt, name), wavelet="db2", **options), args


def case_wavelets():
    return wavelets("wavedec", torch.randn(2, 32), level=2)


def case_wavelets_of_images():
    return wavelets("wavedec2", torch.randn(2, 16, 16), level=2)


def case_stationary_wavelets():
    return wavelets("swt", torch.randn(2, 32), level=2)


def case_separable_wavelets():
    return wavelets("fswavedec2", torch.randn(2, 16, 16), level=2)


def case_continuous_wavelets():
    import ptwt

    return Applied(ptwt.cwt, scales=torch.arange(1, 4).numpy(), wavelet="mexh"), (torch.randn(2, 32),)
