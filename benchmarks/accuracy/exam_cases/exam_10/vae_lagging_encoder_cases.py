"""Cases of vae-lagging-encoder."""

from __future__ import annotations

import importlib
from types import SimpleNamespace

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_10_c"])


PACKAGES = ["vae-lagging-encoder"]


def lagging(module, name, *options, given, **more):
    """A part of vae-lagging-encoder."""
    inside("vae-lagging-encoder")
    small = {
        "ni": 6,
        "enc_nh": 6,
        "dec_nh": 6,
        "nz": 4,
        "kernel_num": 3,
        "kernel_sizes": [2, 3],
        "cnn_dropout": 0.1,
        "mix_num": 2,
        "img_size": [1, 28, 28],
        "enc_layers": [8, 8],
        "dec_layers": [8, 8],
        "dec_kernel_size": [7, 7],
        "latent_feature_map": 2,
        "dec_dropout_in": 0.1,
        "dec_dropout_out": 0.1,
        "device": torch.device("cpu"),
    }
    made = getattr(importlib.import_module(f"modules.{module}"), name)
    return made(SimpleNamespace(**small), *options, **more), given


def start(parameter):
    """Where parameters start."""
    torch.nn.init.uniform_(parameter, -0.1, 0.1)


def case_lagging_lstm():
    return lagging("encoders.enc_lstm", "LSTMEncoder", 12, start, start, given=(torch.randint(0, 12, (3, 6)),))


def case_lagging_variable():
    sentences = torch.randint(0, 12, (3, 6)), torch.tensor([6, 4, 2])
    return lagging("encoders.enc_lstm", "VarLSTMEncoder", 12, start, start, given=(sentences,))


def case_lagging_images():
    return lagging("encoders.enc_resnet_v2", "ResNetEncoderV2", given=(torch.rand(2, 1, 28, 28),))


def case_lagging_pixels():
    return lagging("decoders.dec_pixelcnn_v2", "PixelCNNDecoderV2", mode="small", given=(torch.rand(1, 3, 28, 28),))
