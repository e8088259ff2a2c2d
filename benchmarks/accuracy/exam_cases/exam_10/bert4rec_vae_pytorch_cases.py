"""Cases of BERT4Rec-VAE-Pytorch."""

from __future__ import annotations

from types import SimpleNamespace

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_10_c"])


PACKAGES = ["BERT4Rec-VAE-Pytorch"]


def case_bert4rec():
    inside("BERT4Rec-VAE-Pytorch")
    from models.bert import BERTModel

    args = SimpleNamespace(
        model_init_seed=0,
        bert_max_len=8,
        num_items=10,
        bert_num_blocks=1,
        bert_num_heads=2,
        bert_hidden_units=8,
        bert_dropout=0.1,
    )
    return BERTModel(args), (torch.randint(0, 10, (2, 8)),)


def case_bert4rec_vae():
    inside("BERT4Rec-VAE-Pytorch")
    from models.vae import VAEModel

    args = SimpleNamespace(vae_latent_dim=4, vae_dropout=0.1, vae_hidden_dim=8, vae_num_hidden=1, num_items=10)
    return VAEModel(args), (torch.rand(3, 10),)
