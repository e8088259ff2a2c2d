"""Cases of demucs."""

from __future__ import annotations

import torch

PACKAGES = ["demucs"]


def case_demucs():
    from demucs.demucs import Demucs

    return Demucs(["a", "b"], channels=4, depth=3, lstm_layers=1, resample=True), (torch.randn(1, 2, 2048),)


def case_hybrid_demucs():
    from demucs.hdemucs import HDemucs

    return HDemucs(["a", "b"], channels=8, nfft=256, depth=4), (torch.randn(1, 2, 4096),)


def case_transformer_demucs():
    from demucs.htdemucs import HTDemucs

    model = HTDemucs(["a", "b"], channels=8, nfft=512, depth=2, t_layers=2, t_heads=2, segment=1, samplerate=8000)
    return model, (torch.randn(1, 2, 4096),)
