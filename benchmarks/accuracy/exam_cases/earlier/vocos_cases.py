"""Cases of vocos."""

from __future__ import annotations

import torch

PACKAGES = ["vocos"]


def case_vocos():
    from vocos.heads import ISTFTHead
    from vocos.models import VocosBackbone

    return torch.nn.Sequential(VocosBackbone(8, 16, 16, 1), ISTFTHead(16, 32, 8)), (torch.randn(1, 8, 12),)


def case_vocos_adaptive():
    from vocos.models import VocosBackbone

    return (
        VocosBackbone(8, 16, 16, 1, adanorm_num_embeddings=3),
        (torch.randn(1, 8, 12),),
        {"bandwidth_id": torch.tensor([1])},
    )


def case_vocos_cosine():
    from vocos.heads import IMDCTCosHead

    return IMDCTCosHead(16, 16, clip_audio=True), (torch.randn(1, 12, 16),)


def case_vocos_symexp():
    from vocos.heads import IMDCTSymExpHead

    return IMDCTSymExpHead(16, 16), (torch.randn(1, 12, 16),)


def case_vocos_discriminators():
    from vocos.discriminators import MultiPeriodDiscriminator, MultiResolutionDiscriminator

    class Both(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.period, self.resolution = MultiPeriodDiscriminator((2, 3)), MultiResolutionDiscriminator((64,))

        def forward(self, y, z):
            return self.period(y, z), self.resolution(y, z)

    return Both(), (torch.randn(1, 300), torch.randn(1, 300))
