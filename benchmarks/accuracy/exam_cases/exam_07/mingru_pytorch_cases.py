"""Cases of minGRU_pytorch."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["minGRU_pytorch"]


def case_min_gru():
    from minGRU_pytorch import minGRU

    return minGRU(16), (torch.randn(2, 8, 16),)


def case_min_gru_step():
    from minGRU_pytorch import minGRU

    return minGRU(16), (torch.randn(2, 1, 16), torch.rand(2, 1, 16)), {"return_next_prev_hidden": True}


def case_min_lm():
    from minGRU_pytorch.minLM import minLM

    return (
        minLM(num_tokens=20, dim=16, depth=2, enable_conv=True),
        (torch.randint(0, 20, (2, 8)),),
        {"return_loss": True},
    )
