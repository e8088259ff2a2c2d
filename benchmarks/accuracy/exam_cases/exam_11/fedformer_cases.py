"""Cases of FEDformer."""

from __future__ import annotations

import importlib
from types import SimpleNamespace

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_11"])


PACKAGES = ["FEDformer"]


def f(*shape):
    return torch.randn(*shape)


def fed(module, name, *given, **named):
    inside("FEDformer")
    return getattr(importlib.import_module(module), name)(*given, **named)


def fed_config(**more):
    return SimpleNamespace(**{
        "seq_len": 24, "label_len": 12, "pred_len": 12, "output_attention": False, "enc_in": 3, "dec_in": 3, "c_out": 3,
        "d_model": 16, "n_heads": 8, "d_ff": 16, "e_layers": 2, "d_layers": 1, "dropout": 0.1, "embed": "timeF",
        "freq": "h",
        "activation": "gelu", "moving_avg": [5, 7], "version": "Fourier", "mode_select": "random", "modes": 4, "L": 1,
        "base": "legendre", "cross_activation": "tanh", "wavelet": 0, "factor": 1, "distil": True, "ab": 0, **more,
    })  # fmt: skip


def fed_inputs():
    return f(2, 24, 3), f(2, 24, 4), f(2, 24, 3), f(2, 24, 4)


def case_fedformer():
    return fed("models.FEDformer", "Model", fed_config()), fed_inputs()


def case_fedformer_wavelets():
    return fed("models.FEDformer", "Model", fed_config(version="Wavelets")), fed_inputs()


def case_fed_autoformer():
    return fed("models.Autoformer", "Model", fed_config(moving_avg=5)), fed_inputs()


def case_fed_informer():
    return fed("models.Informer", "Model", fed_config()), fed_inputs()


def case_fed_transformer():
    return fed("models.Transformer", "Model", fed_config()), fed_inputs()


def case_fed_decomposition():
    return fed("layers.Autoformer_EncDec", "FourierDecomp"), (f(2, 12, 3),)


def case_fed_multi():
    return fed("layers.Autoformer_EncDec", "series_decomp_multi", [3, 5]), (f(2, 12, 3),)
