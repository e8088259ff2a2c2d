"""Cases of waveglow."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent, inside

PACKAGES = ["waveglow"]


absent(*ABSENT["exam_09_a"])


def flowing():
    """WaveGlow, with CUDA's tensors replaced by the CPU's."""
    inside("waveglow")
    torch.cuda.FloatTensor = torch.FloatTensor
    from glow import WaveGlow, WaveGlowLoss

    model = WaveGlow(8, 4, 8, 2, 2, {"n_layers": 2, "n_channels": 8, "kernel_size": 3})
    return model, WaveGlowLoss, (torch.randn(1, 8, 4), torch.randn(1, 1024))


def case_waveglow():
    model, _, args = flowing()
    return model, (args,)


def case_waveglow_loss():
    model, loss, args = flowing()
    with torch.no_grad():
        made = model(args)
    return loss(), (made,)


def case_waveglow_inference():
    model, _, (spectrum, _) = flowing()
    return model.infer, (spectrum,)
