"""Cases of esm."""

from __future__ import annotations

from types import SimpleNamespace

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["esm"]


def proteins():
    import esm

    return esm.data.Alphabet.from_architecture("ESM-1b")


def case_esm():
    from esm.model.esm2 import ESM2

    return ESM2(1, 8, 2, proteins()), (torch.tensor([[0, 5, 6, 32, 2], [0, 7, 2, 1, 1]]),), {"need_head_weights": True}


def case_esm_first():
    from esm.model.esm1 import ProteinBertModel

    settings = SimpleNamespace(
        arch="roberta_large",
        layers=1,
        embed_dim=8,
        ffn_embed_dim=8,
        attention_heads=2,
        max_positions=16,
        token_dropout=True,
        emb_layer_norm_before=True,
        final_bias=False,
    )
    return ProteinBertModel(settings, proteins()), (torch.tensor([[0, 5, 6, 32, 2], [0, 7, 2, 1, 1]]),)
