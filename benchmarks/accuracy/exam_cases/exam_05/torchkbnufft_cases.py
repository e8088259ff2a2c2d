"""Cases of torchkbnufft."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from torch import nn

PACKAGES = ["torchkbnufft"]


def case_kb_nufft():
    from torchkbnufft import KbNufft

    return KbNufft((8, 8)), (torch.randn(1, 1, 8, 8, dtype=torch.complex64), torch.rand(2, 20))


def case_kb_nufft_adjoint():
    from torchkbnufft import KbNufftAdjoint

    return KbNufftAdjoint((8, 8)), (torch.randn(1, 1, 20, dtype=torch.complex64), torch.rand(2, 20))


def case_kb_toep():
    import torchkbnufft as tkbn

    kernel = tkbn.calc_toeplitz_kernel(torch.rand(2, 20), (8, 8))
    return tkbn.ToepNufft(), (torch.randn(1, 1, 8, 8, dtype=torch.complex64), kernel)


def case_kb_density():
    import torchkbnufft as tkbn

    class Density(nn.Module):
        def forward(self, k):
            return tkbn.calc_density_compensation_function(k, (8, 8), num_iterations=2)

    return Density(), (torch.rand(2, 20),)
