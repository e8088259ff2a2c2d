"""Cases of ECAPA-TDNN."""

from __future__ import annotations

import importlib

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_11"])


PACKAGES = ["ECAPA-TDNN"]


def f(*shape):
    return torch.randn(*shape)


def tokens(high, *shape):
    return torch.randint(1, high, shape)


def case_ecapa():
    inside("ECAPA-TDNN")
    model = importlib.import_module("model").ECAPA_TDNN(64)
    model.torchfbank = torch.nn.Conv1d(1, 80, 400, 160)
    return model, (f(2, 1, 8000), False)


def case_ecapa_augmentation():
    inside("ECAPA-TDNN")
    return importlib.import_module("model").FbankAug(), (f(2, 80, 50),)


def case_ecapa_emphasis():
    inside("ECAPA-TDNN")
    return importlib.import_module("model").PreEmphasis(), (f(2, 800),)


def case_ecapa_loss():
    inside("ECAPA-TDNN")
    return importlib.import_module("loss").AAMsoftmax(10, 0.2, 30), (f(4, 192), tokens(10, 4))
