"""Cases of ijepa."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_10_a"])


PACKAGES = ["ijepa"]


def case_ijepa_encoder():
    inside("ijepa")
    from src.models.vision_transformer import VisionTransformer

    model = VisionTransformer(img_size=[32], patch_size=8, embed_dim=16, depth=1, num_heads=2)
    return model, (torch.rand(2, 3, 32, 32), [torch.tensor([[0, 1, 2], [3, 4, 5]])])


def case_ijepa_predictor():
    inside("ijepa")
    from src.models.vision_transformer import VisionTransformerPredictor

    model = VisionTransformerPredictor(16, embed_dim=16, predictor_embed_dim=16, depth=1, num_heads=2)
    seen, wanted = [torch.tensor([[0, 1, 2], [3, 4, 5]])], [torch.tensor([[6, 7], [8, 9]])]
    return model, (torch.randn(2, 3, 16), seen, wanted)
