"""Cases of fuxictr."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.util

import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_08_a"])


PACKAGES = ["fuxictr"]


def of(path: str, *inputs, **options):
    """A class by its path, made with `options`, and its inputs."""
    module, name = path.rsplit(".", 1)
    return getattr(importlib.import_module(module), name)(**options), inputs


LAYERS = "fuxictr.pytorch.layers."


def case_fuxi_dice():
    return of(LAYERS + "Dice", torch.randn(4, 8), input_dim=8)


def case_fuxi_target_attention():
    inputs = (torch.randn(4, 8), torch.randn(4, 5, 8), torch.ones(4, 5))
    return of(LAYERS + "DIN_Attention", *inputs, embedding_dim=8, use_softmax=True)


def case_fuxi_target_attention_dice():
    inputs = (torch.randn(4, 8), torch.randn(4, 5, 8), torch.ones(4, 5))
    return of(LAYERS + "DIN_Attention", *inputs, embedding_dim=8, hidden_activations="Dice")


def case_fuxi_heads():
    inputs = (torch.randn(4, 8), torch.randn(4, 5, 8), torch.ones(4, 5))
    return of(LAYERS + "MultiHeadTargetAttention", *inputs, input_dim=8, attention_dim=8, num_heads=2)


def case_fuxi_squeeze():
    return of(LAYERS + "SqueezeExcitation", torch.randn(4, 6, 8), num_fields=6)


def case_fuxi_bilinear():
    return of(LAYERS + "BilinearInteraction", torch.randn(4, 6, 8), num_fields=6, embedding_dim=8)


def case_fuxi_bilinear_each():
    options = {"num_fields": 6, "embedding_dim": 8, "bilinear_type": "field_each"}
    return of(LAYERS + "BilinearInteraction", torch.randn(4, 6, 8), **options)


def case_fuxi_bilinear_second():
    return of(LAYERS + "BilinearInteractionV2", torch.randn(4, 6, 8), num_fields=6, embedding_dim=8)


def case_fuxi_compressed():
    return of(LAYERS + "CompressedInteractionNet", torch.randn(4, 6, 8), num_fields=6, cin_hidden_units=[4, 4])


def case_fuxi_cross():
    return of(LAYERS + "CrossNet", torch.randn(4, 8), input_dim=8, num_layers=2)


def case_fuxi_cross_mix():
    return of(LAYERS + "CrossNetMix", torch.randn(4, 8), in_features=8, low_rank=4)


def case_fuxi_holographic():
    return of(LAYERS + "HolographicInteraction", torch.randn(4, 6, 8), num_fields=6)


def case_fuxi_holographic_correlation():
    options = {"num_fields": 6, "interaction_type": "circular_correlation"}
    return of(LAYERS + "HolographicInteraction", torch.randn(4, 6, 8), **options)


def case_fuxi_products():
    return of(LAYERS + "InnerProductInteraction", torch.randn(4, 6, 8), num_fields=6)


def case_fuxi_products_inner():
    return of(LAYERS + "InnerProductInteraction", torch.randn(4, 6, 8), num_fields=6, output="inner_product")


def case_fuxi_machine():
    return of(LAYERS + "InteractionMachine", torch.randn(4, 6, 8), embedding_dim=8, order=5)


def case_fuxi_masked_average():
    return of(LAYERS + "MaskedAveragePooling", torch.randn(4, 6, 8))


def case_fuxi_masked_sum():
    return of(LAYERS + "MaskedSumPooling", torch.randn(4, 6, 8))


def case_fuxi_k_max():
    return of(LAYERS + "KMaxPooling", torch.randn(4, 6, 8), k=2, dim=1)


def case_fuxi_mlp():
    options = {"input_dim": 8, "hidden_units": [8, 4], "hidden_activations": "Dice", "batch_norm": True}
    return of(LAYERS + "MLP_Block", torch.randn(4, 8), **options, output_dim=1, dropout_rates=0.1)
