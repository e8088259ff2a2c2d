"""Cases of StyleTTS2."""

from __future__ import annotations

import importlib

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_11"])


PACKAGES = ["StyleTTS2"]


def f(*shape):
    return torch.randn(*shape)


def tokens(high, *shape):
    return torch.randint(1, high, shape)


def style(module, name, *given, **named):
    inside("StyleTTS2")
    return getattr(importlib.import_module(module), name)(*given, **named)


def case_style_text():
    model = style("models", "TextEncoder", 16, 5, 2, 20)
    return model, (tokens(20, 2, 6), torch.tensor([6, 4]), torch.zeros(2, 6, dtype=torch.bool))


def case_style_prosody():
    model = style("models", "ProsodyPredictor", 8, 16, 1)
    return model, (f(2, 16, 6), f(2, 8), torch.tensor([6, 4]), f(2, 6, 9), torch.zeros(2, 6, dtype=torch.bool))


def case_style_encoder():
    return style("models", "StyleEncoder", 4, 8, 16), (f(1, 1, 80, 80),)


def case_style_discriminator():
    return style("models", "Discriminator2d", 4, 2, 16), (f(2, 1, 80, 80),)


def case_style_sines():
    return style("Modules.hifigan", "SineGen", 24000, 30, 2), (f(1, 30, 1).abs() * 100,)


def case_style_source():
    return style("Modules.istftnet", "SourceModuleHnNSF", 24000, 30, 2, voiced_threshod=10), (f(1, 30, 1).abs() * 100,)


def case_style_stft():
    return style("Modules.istftnet", "TorchSTFT", 80, 20, 80), (f(2, 400),)


def case_style_adain():
    return style("Modules.istftnet", "AdaINResBlock1", 8, 3, (1, 3, 5), 4), (f(2, 8, 20), f(2, 4))


def case_style_periods():
    return style("Modules.discriminators", "DiscriminatorP", 3), (f(1, 1, 500),)


def case_style_spectrum():
    return style("Modules.discriminators", "SpecDiscriminator", 64, 16, 64), (f(1, 1, 800),)


def case_style_k_diffusion():
    inside("StyleTTS2")
    sampler = importlib.import_module("Modules.diffusion.sampler")
    model = sampler.KDiffusion(torch.nn.Identity(), sigma_distribution=sampler.LogNormalDistribution(-3.0, 1.0),
                               sigma_data=0.2, dynamic_threshold=0.5)  # fmt: skip
    model.net = Net()
    return model, (f(2, 1, 8),)


class Net(torch.nn.Module):
    def forward(self, x, t, **_):
        return x * t.mean()


def case_style_sampler():
    inside("StyleTTS2")
    sampler = importlib.import_module("Modules.diffusion.sampler")
    diffusion = sampler.KDiffusion(Net(), sigma_distribution=sampler.LogNormalDistribution(-3.0, 1.0), sigma_data=0.2)
    model = sampler.DiffusionSampler(
        diffusion, sampler=sampler.ADPM2Sampler(), sigma_schedule=sampler.KarrasSchedule(0.0001, 3.0), num_steps=3
    )
    return model, (f(2, 1, 8),)
