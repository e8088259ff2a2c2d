"""Cases of ablang."""

from __future__ import annotations

from types import SimpleNamespace

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["ablang"]


def case_antibodies():
    from ablang.model import AbLang

    settings = SimpleNamespace(
        pad_token_id=21,
        vocab_size=24,
        hidden_size=8,
        max_position_embeddings=16,
        layer_norm_eps=1e-12,
        hidden_dropout_prob=0.1,
        num_hidden_layers=1,
        num_attention_heads=2,
        attention_probs_dropout_prob=0.1,
        intermediate_size=8,
        hidden_act="gelu",
        initializer_range=0.02,
        chunk_size_feed_forward=0,
    )
    return AbLang(settings), (torch.tensor([[0, 5, 6, 21]]),)
