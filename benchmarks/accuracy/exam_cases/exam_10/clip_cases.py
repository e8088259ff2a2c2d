"""Cases of CLIP."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_10_a"])


PACKAGES = ["CLIP"]


def case_clip():
    inside("CLIP")
    absent("clip.clip")
    from clip.model import CLIP

    model = CLIP(8, 32, 1, 64, 8, 6, 20, 16, 2, 1)
    return model, (torch.rand(2, 3, 32, 32), torch.randint(0, 20, (2, 6)))


def case_clip_resnet():
    inside("CLIP")
    absent("clip.clip")
    from clip.model import CLIP

    model = CLIP(8, 32, (1, 1, 1, 1), 2, None, 6, 20, 16, 2, 1)
    return model, (torch.rand(2, 3, 32, 32), torch.randint(0, 20, (2, 6)))
