"""Cases of DeepSDF."""

from __future__ import annotations

import importlib

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_11"])


PACKAGES = ["DeepSDF"]


def f(*shape):
    return torch.randn(*shape)


def case_sdf():
    inside("DeepSDF")
    decoder = importlib.import_module("networks.deep_sdf_decoder").Decoder
    return decoder(8, [16, 16, 16, 16], [0, 1], 0.2, [0, 1], [2], False, True, True, True), (f(5, 11),)


def case_sdf_weight_norm():
    inside("DeepSDF")
    decoder = importlib.import_module("networks.deep_sdf_decoder").Decoder
    return decoder(8, [16, 16, 16, 16], None, 0.0, [0, 1], [2], True), (f(5, 11),)
