"""Cases of LlamaGen."""

from __future__ import annotations

import importlib

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_11"])


PACKAGES = ["LlamaGen"]


def f(*shape):
    return torch.randn(*shape)


def tokens(high, *shape):
    return torch.randint(1, high, shape)


def case_gen():
    inside("LlamaGen")
    gpt = importlib.import_module("autoregressive.models.gpt")
    config = gpt.ModelArgs(dim=16, n_layer=2, n_head=2, vocab_size=32, block_size=16, cls_token_num=1, num_classes=5,
                           max_batch_size=2,
                           max_seq_len=16)  # fmt: skip
    return gpt.Transformer(config), (tokens(32, 2, 15), tokens(5, 2), None, tokens(32, 2, 16))


def case_gen_quantizer():
    inside("LlamaGen")
    vq = importlib.import_module("tokenizer.tokenizer_image.vq_model").VectorQuantizer
    return vq(16, 4, 0.25, 0.1, True, True), (f(2, 4, 3, 3),)


def case_gen_autoencoder():
    inside("LlamaGen")
    vq = importlib.import_module("tokenizer.tokenizer_image.vq_model")
    config = vq.ModelArgs(codebook_size=16, codebook_embed_dim=4, encoder_ch_mult=[1, 1], decoder_ch_mult=[1, 1],
                          z_channels=32)  # fmt: skip
    return vq.VQModel(config), (f(1, 3, 16, 16),)
