"""Cases of speechtokenizer."""

from __future__ import annotations

import scipy.signal
import scipy.special
import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_10_b"])


scipy.signal.cosine = scipy.signal.windows.cosine  # where it was until SciPy 1.1


scipy.special.sph_harm = None  # until SciPy 1.16; what is tried here does not need it


PACKAGES = ["speechtokenizer"]


def case_speechtokenizer():
    from speechtokenizer.model import SpeechTokenizer

    config = {
        "n_filters": 4,
        "dimension": 16,
        "strides": [4, 2],
        "lstm_layers": 1,
        "bidirectional": True,
        "dilation_base": 2,
        "residual_kernel_size": 3,
        "n_residual_layers": 1,
        "activation": "ELU",
        "sample_rate": 16000,
        "semantic_dimension": 16,
        "n_q": 2,
        "codebook_size": 8,
    }
    return SpeechTokenizer(config), (torch.randn(1, 1, 320),)


def case_speechtokenizer_stft():
    from speechtokenizer.discriminators import MultiScaleSTFTDiscriminator

    model = MultiScaleSTFTDiscriminator(4, n_ffts=[64], hop_lengths=[16], win_lengths=[64])
    return model, (torch.randn(1, 1, 800), torch.randn(1, 1, 800))


def case_speechtokenizer_scales():
    from speechtokenizer.discriminators import MultiScaleDiscriminator

    return MultiScaleDiscriminator(), (torch.randn(1, 1, 800), torch.randn(1, 1, 800))
