"""Cases of Speech-Backbones."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent, inside

PACKAGES = ["Speech-Backbones"]


absent(*ABSENT["exam_09_a"])


def case_grad_tts_decoder():
    inside("Speech-Backbones", "Grad-TTS")
    from model.diffusion import Diffusion

    mask = torch.ones(2, 1, 16)
    return Diffusion(8, 8), (torch.randn(2, 8, 16), mask, torch.randn(2, 8, 16), 2), {"stoc": True}


def case_grad_tts_decoder_loss():
    inside("Speech-Backbones", "Grad-TTS")
    from model.diffusion import Diffusion

    model = Diffusion(80, 8, n_spks=2, spk_emb_dim=8)
    return (
        model.compute_loss,
        (torch.randn(2, 80, 16), torch.ones(2, 1, 16), torch.randn(2, 80, 16)),
        {"spk": torch.randn(2, 8)},
    )


def case_grad_tts_encoder():
    inside("Speech-Backbones", "Grad-TTS")
    from model.text_encoder import TextEncoder

    model = TextEncoder(50, 8, 16, 16, 16, 2, 1, 3, 0.1, window_size=4)
    return model, (torch.randint(0, 50, (2, 6)), torch.tensor([6, 4]))


def talk():
    """Grad-TTS as a whole."""
    inside("Speech-Backbones", "Grad-TTS")
    from model import GradTTS

    return GradTTS(50, 1, 8, 16, 16, 16, 2, 1, 3, 0.1, 4, 8, 8, 0.05, 20.0, 1000)


def case_grad_tts():
    return talk(), (torch.randint(0, 50, (2, 6)), torch.tensor([6, 4]), 2)
