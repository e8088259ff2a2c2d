"""Cases of nanoGPT."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent, inside

PACKAGES = ["nanoGPT"]


absent(*ABSENT["exam_09_a"])


def case_nanogpt():
    inside("nanoGPT")
    from model import GPT, GPTConfig

    model = GPT(GPTConfig(block_size=32, vocab_size=60, n_layer=2, n_head=2, n_embd=16, dropout=0.1))
    return model, (torch.randint(0, 60, (2, 16)), torch.randint(0, 60, (2, 16)))


def case_nanogpt_generate():
    inside("nanoGPT")
    from model import GPT, GPTConfig

    model = GPT(GPTConfig(block_size=32, vocab_size=60, n_layer=1, n_head=2, n_embd=16))
    return model.generate, (torch.randint(0, 60, (2, 4)), 3), {"top_k": 5}
