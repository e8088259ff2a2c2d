"""Cases of diffuser."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from unittest.mock import MagicMock

import torch
from exam_surroundings import ABSENT, absent, inside

PACKAGES = ["diffuser"]


absent(*ABSENT["exam_09_a"])


class Silent:
    """What diffuser shows its progress with when it shows none."""

    def update(self, *_):
        pass

    def stamp(self, *_):
        pass

    def close(self):
        pass


def plans(**options):
    """The planner of diffuser."""
    inside("diffuser")
    sys.modules["diffuser.environments"] = MagicMock()
    sys.modules["diffuser.utils"] = SimpleNamespace(Silent=Silent, Progress=Silent)
    from diffuser.models.diffusion import GaussianDiffusion
    from diffuser.models.temporal import TemporalUnet

    model = TemporalUnet(8, 6, 4, dim=8, dim_mults=(1, 2), **options)
    return GaussianDiffusion(model, 8, 4, 2, n_timesteps=4, predict_epsilon=False, clip_denoised=True)


def case_diffuser_loss():
    return plans().loss, (torch.randn(2, 8, 6), {0: torch.randn(2, 4)})


def case_diffuser_plan():
    return plans(), ({0: torch.randn(2, 4)},), {"verbose": False}


def case_diffuser_attention():
    return plans(attention=True).model, (torch.randn(2, 8, 6), None, torch.tensor([1, 2]))
