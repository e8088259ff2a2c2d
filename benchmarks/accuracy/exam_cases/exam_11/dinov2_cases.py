"""Cases of dinov2."""

from __future__ import annotations

import importlib

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_11"])


PACKAGES = ["dinov2"]


def f(*shape):
    return torch.randn(*shape)


def dino(module, name, *given, **named):
    inside("dinov2")
    return getattr(importlib.import_module(f"dinov2.{module}"), name)(*given, **named)


def case_dino_vit():
    return dino("models.vision_transformer", "DinoVisionTransformer", 28, 14, 3, 24, 2, 2), (f(1, 3, 28, 28),)


def case_dino_masks():
    model = dino("models.vision_transformer", "DinoVisionTransformer", 28, 14, 3, 24, 2, 2, drop_path_rate=0.3)
    return model, (f(2, 3, 28, 28), torch.tensor([[True, False, True, False]] * 2))


def case_dino_koleo():
    return dino("loss", "KoLeoLoss"), (f(4, 8),)


def case_dino_loss():
    return dino("loss", "DINOLoss", 8), ([f(4, 8)], [torch.softmax(f(4, 8), -1)])


def case_dino_patches():
    masks = torch.zeros(2, 5, dtype=torch.bool)
    masks[:, 1] = True
    return dino("loss", "iBOTPatchLoss", 8), (f(2, 5, 8), f(2, 5, 8), masks)


class Centers(torch.nn.Module):
    def __init__(self, loss):
        super().__init__()
        self.loss = loss

    def forward(self, teacher):
        return self.loss.sinkhorn_knopp_teacher(teacher, 0.07)


def case_dino_sinkhorn():
    return Centers(dino("loss", "DINOLoss", 8)), (f(4, 8),)
