"""Cases of torchgan."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from torch import nn

PACKAGES = ["torchgan"]


def case_dcgan_generator():
    from torchgan.models import DCGANGenerator

    return DCGANGenerator(8, 16, 1, step_channels=4), (torch.randn(2, 8),)


def case_dcgan_discriminator():
    from torchgan.models import DCGANDiscriminator

    return DCGANDiscriminator(16, 1, step_channels=4), (torch.randn(2, 1, 16, 16),)


def case_conditional_gan():
    from torchgan.models import ConditionalGANGenerator

    return ConditionalGANGenerator(3, 8, 16, 1, step_channels=4), (torch.randn(2, 8), torch.tensor([0, 2]))


def case_acgan():
    from torchgan.models import ACGANDiscriminator

    return ACGANDiscriminator(3, 16, 1, step_channels=4), (torch.randn(2, 1, 16, 16),)


def case_autoencoding_discriminator():
    from torchgan.models import AutoEncodingDiscriminator

    return AutoEncodingDiscriminator(16, 1, 8, step_channels=4), (torch.randn(2, 1, 16, 16),)


def case_minibatch_discrimination():
    from torchgan.layers import MinibatchDiscrimination1d

    return MinibatchDiscrimination1d(8, 4), (torch.randn(3, 8),)


def case_self_attention_of_images():
    from torchgan.layers import SelfAttention2d

    return SelfAttention2d(8), (torch.randn(2, 8, 4, 4),)


def case_spectral_norm():
    from torchgan.layers import SpectralNorm2d

    return SpectralNorm2d(nn.Conv2d(2, 3, 3)), (torch.randn(2, 2, 6, 6),)


def case_virtual_batch_norm():
    from torchgan.layers import VirtualBatchNorm

    return VirtualBatchNorm(8), (torch.randn(4, 8, 1, 1),)


def case_gan_loss():
    from torchgan.losses import WassersteinDiscriminatorLoss

    return WassersteinDiscriminatorLoss(), (torch.randn(4), torch.randn(4))
