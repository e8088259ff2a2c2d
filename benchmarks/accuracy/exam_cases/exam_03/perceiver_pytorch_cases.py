"""Cases of perceiver_pytorch."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["perceiver_pytorch"]


def case_perceiver():
    from perceiver_pytorch import Perceiver

    model = Perceiver(num_freq_bands=2, depth=2, max_freq=4.0, num_latents=4, latent_dim=8, num_classes=3)
    return model, (torch.rand(2, 8, 8, 3),)


def case_perceiver_with_queries():
    from perceiver_pytorch import PerceiverIO

    model = PerceiverIO(depth=2, dim=8, queries_dim=8, logits_dim=5, num_latents=4, latent_dim=8)
    return model, (torch.rand(2, 6, 8), torch.ones(2, 6).bool(), torch.rand(3, 8))


def case_perceiver_of_text():
    from perceiver_pytorch import PerceiverLM

    model = PerceiverLM(num_tokens=20, dim=8, depth=1, max_seq_len=8, num_latents=4, latent_dim=8)
    return model, (torch.randint(0, 20, (2, 8)), torch.ones(2, 8).bool())
