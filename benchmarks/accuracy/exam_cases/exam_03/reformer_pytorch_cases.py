"""Cases of reformer_pytorch."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["reformer_pytorch"]


def case_reformer():
    from reformer_pytorch import ReformerLM

    model = ReformerLM(num_tokens=20, dim=8, depth=2, max_seq_len=32, heads=2, bucket_size=4, n_hashes=2, causal=True)
    return model, (torch.randint(0, 20, (1, 32)),)


def case_reformer_layers():
    from reformer_pytorch import LSHSelfAttention

    return LSHSelfAttention(dim=8, heads=2, bucket_size=4, n_hashes=2), (torch.randn(1, 32, 8),)
