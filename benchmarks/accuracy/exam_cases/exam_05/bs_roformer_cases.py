"""Cases of bs_roformer."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["bs_roformer"]


def case_bs_roformer():
    from bs_roformer import BSRoformer

    model = BSRoformer(
        8, depth=1, dim_head=8, heads=2, freqs_per_bands=(9, 24), stft_n_fft=64, stft_hop_length=16, flash_attn=False,
        stft_win_length=64, multi_stft_resolutions_window_sizes=(64, 32), multi_stft_hop_size=16,
    )  # fmt: skip
    return model, (torch.randn(1, 640), torch.randn(1, 640))


def case_mel_band_roformer():
    from bs_roformer import MelBandRoformer

    model = MelBandRoformer(
        8, depth=1, dim_head=8, heads=2, num_bands=6, stft_n_fft=128, stft_hop_length=32, flash_attn=False,
        stft_win_length=128, sample_rate=4000,
    )  # fmt: skip
    return model, (torch.randn(1, 640),)
