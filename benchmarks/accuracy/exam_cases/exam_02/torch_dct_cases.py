"""Cases of torch_dct."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["torch_dct"]


class Applied(torch.nn.Module):
    def __init__(self, function, **options) -> None:
        super().__init__()
        self.function, self.options = function, options

    def forward(self, *args):
        return self.function(*args, **self.options)


def case_cosines():
    import torch_dct

    return Applied(torch_dct.dct_2d, norm="ortho"), (torch.randn(2, 8, 8),)


def case_cosines_back():
    import torch_dct

    return Applied(torch_dct.idct), (torch.randn(2, 8),)


def case_linear_cosines():
    import torch_dct

    return torch_dct.LinearDCT(8, "dct"), (torch.randn(2, 8),)
