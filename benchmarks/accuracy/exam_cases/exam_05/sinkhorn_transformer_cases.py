"""Cases of sinkhorn_transformer."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["sinkhorn_transformer"]


def case_sinkhorn():
    from sinkhorn_transformer import SinkhornTransformerLM

    model = SinkhornTransformerLM(
        num_tokens=9, dim=8, heads=2, depth=1, max_seq_len=16, bucket_size=4, dim_head=4, n_sortcut=0
    )
    return model, (torch.randint(0, 9, (1, 16)),)


def case_sinkhorn_causal():
    from sinkhorn_transformer import AutoregressiveWrapper, SinkhornTransformerLM

    model = SinkhornTransformerLM(
        num_tokens=9, dim=8, heads=2, depth=1, max_seq_len=16, bucket_size=4, dim_head=4, causal=True
    )
    return AutoregressiveWrapper(model), (torch.randint(0, 9, (1, 17)),), {"return_loss": True}
