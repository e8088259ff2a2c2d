"""Cases of torchlibrosa."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from torch import nn

PACKAGES = ["torchlibrosa"]


def case_librosa_spectrogram():
    from torchlibrosa.stft import LogmelFilterBank, Spectrogram

    banks = LogmelFilterBank(sr=8000, n_fft=64, n_mels=4)
    return nn.Sequential(Spectrogram(n_fft=64, hop_length=32), banks), (torch.randn(1, 512),)


def case_librosa_istft():
    from torchlibrosa.stft import ISTFT

    return ISTFT(n_fft=64, hop_length=16), (torch.randn(1, 1, 20, 33), torch.randn(1, 1, 20, 33), 256)


def case_spec_augmentation():
    from torchlibrosa.augmentation import SpecAugmentation

    return SpecAugmentation(4, 2, 2, 2), (torch.randn(2, 1, 20, 8),)
