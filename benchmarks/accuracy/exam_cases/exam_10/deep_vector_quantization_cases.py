"""Cases of deep-vector-quantization."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_10_a"])


PACKAGES = ["deep-vector-quantization"]


def case_dvq_quantizer():
    inside("deep-vector-quantization")
    from dvq.model.quantize import VQVAEQuantize

    return VQVAEQuantize(8, 10, 4), (torch.randn(2, 8, 5, 5),)


def case_dvq_gumbel():
    inside("deep-vector-quantization")
    from dvq.model.quantize import GumbelQuantize

    return GumbelQuantize(8, 10, 4), (torch.randn(2, 8, 5, 5),)


def case_dvq_openai():
    inside("deep-vector-quantization")
    from dvq.model.openai_enc_dec import OpenAIEncoder

    return OpenAIEncoder(), (torch.rand(1, 3, 32, 32),)
