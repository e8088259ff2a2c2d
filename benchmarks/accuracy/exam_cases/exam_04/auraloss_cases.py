"""Cases of auraloss."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["auraloss"]


def lossy(name: str, module: str = "time", **options):
    import auraloss

    return getattr(getattr(auraloss, module), name)(**options), (torch.randn(2, 1, 512), torch.randn(2, 1, 512))


def case_esr_loss():
    return lossy("ESRLoss")


def case_snr_loss():
    return lossy("SNRLoss")


def case_sisdr_loss():
    return lossy("SISDRLoss")


def case_stft_loss():
    return lossy("STFTLoss", "freq", fft_size=64, hop_size=16, win_length=64)


def case_multi_stft_loss():
    options = {"fft_sizes": [64, 32], "hop_sizes": [16, 8], "win_lengths": [64, 32]}
    return lossy("MultiResolutionSTFTLoss", "freq", **options)


def case_random_stft_loss():
    return lossy(
        "RandomResolutionSTFTLoss", "freq", min_fft_size=32, max_fft_size=64, min_hop_size=0.1, max_hop_size=0.5
    )
