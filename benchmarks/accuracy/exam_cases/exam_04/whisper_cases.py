"""Cases of whisper."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from torch import nn
from whisper.audio import log_mel_spectrogram, pad_or_trim

PACKAGES = ["whisper"]


def whisper_model():
    from whisper.model import ModelDimensions, Whisper

    return Whisper(ModelDimensions(8, 16, 8, 2, 1, 20, 8, 8, 2, 1))


def case_whisper():
    return whisper_model(), (torch.randn(1, 8, 32), torch.tensor([[1, 2, 3]]))


class WhisperCached(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.model = whisper_model()
        self.cache, self._ = self.model.install_kv_cache_hooks()

    def forward(self, x, tokens):
        return self.model.decoder(tokens, self.model.encoder(x), kv_cache=self.cache)


def case_whisper_cached():
    return WhisperCached(), (torch.randn(1, 8, 32), torch.tensor([[1, 2, 3]]))


class WhisperLogMel(nn.Module):
    def forward(self, x):
        return log_mel_spectrogram(x)


def case_whisper_log_mel():
    return WhisperLogMel(), (torch.randn(4000),)


class WhisperPad(nn.Module):
    def forward(self, x):
        return pad_or_trim(x, length=30)


def case_whisper_pad():
    return WhisperPad(), (torch.randn(20),)
