"""Cases of vocos."""

from __future__ import annotations

import scipy.signal
import scipy.special
import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_10_b"])


scipy.signal.cosine = scipy.signal.windows.cosine  # where it was until SciPy 1.1


scipy.special.sph_harm = None  # until SciPy 1.16; what is tried here does not need it


PACKAGES = ["vocos"]


def case_vocos_backbone():
    from vocos.models import VocosBackbone

    return VocosBackbone(6, 8, 8, 2), (torch.randn(2, 6, 10),)


def case_vocos_backbone_conditional():
    from vocos.models import VocosBackbone

    return (
        VocosBackbone(6, 8, 8, 2, adanorm_num_embeddings=3),
        (torch.randn(2, 6, 10),),
        {"bandwidth_id": torch.tensor([1])},
    )


def case_vocos_resnet():
    from vocos.models import VocosResNetBackbone

    return VocosResNetBackbone(6, 8, 1), (torch.randn(2, 6, 10),)


def case_vocos_istft():
    from vocos.heads import ISTFTHead

    return ISTFTHead(8, 16, 4), (torch.randn(2, 10, 8),)


def case_vocos_istft_center():
    from vocos.heads import ISTFTHead

    return ISTFTHead(8, 16, 4, padding="center"), (torch.randn(2, 10, 8),)


def case_vocos_mdct():
    from vocos.heads import IMDCTSymExpHead

    return IMDCTSymExpHead(8, 16, sample_rate=16000, clip_audio=True), (torch.randn(2, 10, 8),)


def case_vocos_cosine():
    from vocos.heads import IMDCTCosHead

    return IMDCTCosHead(8, 16), (torch.randn(2, 10, 8),)


def case_vocos_periods():
    from vocos.discriminators import MultiPeriodDiscriminator

    return MultiPeriodDiscriminator((2, 3)), (torch.randn(1, 300), torch.randn(1, 300))


def case_vocos_generator_loss():
    from vocos.loss import GeneratorLoss

    return GeneratorLoss(), ([torch.randn(2, 5), torch.randn(2, 4)],)
