"""Cases of nnAudio."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["nnAudio"]


def spectrogram(name: str, **options):
    from nnAudio import features

    return getattr(features, name)(**options), (torch.randn(1, 2048),)


def case_nnaudio_stft():
    return spectrogram("STFT", n_fft=64, hop_length=32, verbose=False)


def case_nnaudio_mel():
    return spectrogram("MelSpectrogram", n_fft=64, n_mels=4, hop_length=32, verbose=False)


def case_nnaudio_mfcc():
    return spectrogram("MFCC", n_mfcc=4, n_fft=64, n_mels=8, hop_length=32, verbose=False)


def case_nnaudio_cqt():
    return spectrogram("CQT1992v2", sr=8000, fmin=220, n_bins=12, hop_length=64, verbose=False)


def case_nnaudio_cqt_2010():
    return spectrogram("CQT2010v2", sr=8000, fmin=220, n_bins=24, hop_length=64, verbose=False)


def case_nnaudio_gammatone():
    return spectrogram("Gammatonegram", sr=8000, n_fft=64, n_bins=4, hop_length=32, verbose=False)
