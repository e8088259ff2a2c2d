"""Cases of k_diffusion."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from torch import nn

PACKAGES = ["k_diffusion"]


def case_k_denoiser():
    from k_diffusion.layers import Denoiser

    class Inner(nn.Module):
        def __init__(self):
            super().__init__()
            self.net = nn.Conv2d(3, 3, 3, padding=1)

        def forward(self, x, sigma):
            return self.net(x) + sigma[:, None, None, None]

    class Loss(nn.Module):
        def __init__(self):
            super().__init__()
            self.denoiser = Denoiser(Inner(), sigma_data=0.5, weighting="soft-min-snr")

        def forward(self, x, noise, sigma):
            return self.denoiser.loss(x, noise, sigma)

    return Loss(), (torch.rand(2, 3, 8, 8), torch.rand(2, 3, 8, 8), torch.rand(2) + 0.1)


def sampling(name: str):
    from k_diffusion import sampling as samplers
    from k_diffusion.layers import Denoiser

    class Inner(nn.Module):
        def __init__(self):
            super().__init__()
            self.net = nn.Conv2d(3, 3, 3, padding=1)

        def forward(self, x, sigma):
            return self.net(x) + sigma[:, None, None, None]

    return Denoiser(Inner()), samplers


def case_k_euler():
    from k_diffusion import sampling as samplers

    class Sample(nn.Module):
        def __init__(self):
            super().__init__()
            self.denoiser = sampling("")[0]

        def forward(self, x):
            return samplers.sample_euler(self.denoiser, x, samplers.get_sigmas_karras(3, 0.1, 10.0), disable=True)

    return Sample(), (torch.rand(1, 3, 8, 8),)


def case_k_dpm():
    from k_diffusion import sampling as samplers

    class Sample(nn.Module):
        def __init__(self):
            super().__init__()
            self.denoiser = sampling("")[0]

        def forward(self, x):
            return samplers.sample_dpmpp_2m(self.denoiser, x, samplers.get_sigmas_karras(3, 0.1, 10.0), disable=True)

    return Sample(), (torch.rand(1, 3, 8, 8),)


def case_k_ancestral():
    from k_diffusion import sampling as samplers

    class Sample(nn.Module):
        def __init__(self):
            super().__init__()
            self.denoiser = sampling("")[0]

        def forward(self, x):
            sigmas = samplers.get_sigmas_exponential(3, 0.1, 10.0)
            return samplers.sample_euler_ancestral(self.denoiser, x, sigmas, disable=True)

    return Sample(), (torch.rand(1, 3, 8, 8),)


def case_k_image_v1():
    from k_diffusion.models.image_v1 import ImageDenoiserModelV1

    return (
        ImageDenoiserModelV1(3, 8, [1, 1], [32, 32], [False, True], mapping_cond_dim=0),
        (torch.rand(1, 3, 16, 16), torch.rand(1) + 0.1),
    )


def case_k_transformer():
    from k_diffusion.models.image_transformer_v1 import ImageTransformerDenoiserModelV1

    return (
        ImageTransformerDenoiserModelV1(1, 64, 64, 3, 3, (4, 4)),
        (torch.rand(1, 3, 16, 16), torch.rand(1) + 0.1),
        {"aug_cond": torch.rand(1, 9)},
    )


def case_k_augment():
    from k_diffusion.augmentation import KarrasAugmentWrapper

    class Inner(nn.Module):
        def forward(self, x, sigma, mapping_cond=None):
            return x * sigma[:, None, None, None] + mapping_cond.sum()

    return KarrasAugmentWrapper(Inner()), (torch.rand(1, 3, 8, 8), torch.rand(1)), {"aug_cond": torch.rand(1, 9)}
