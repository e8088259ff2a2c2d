"""Cases of h_transformer_1d."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["h_transformer_1d"]


def case_h_transformer():
    from h_transformer_1d import HTransformer1D

    return (
        HTransformer1D(num_tokens=9, dim=8, depth=1, max_seq_len=16, heads=2, dim_head=4, block_size=4),
        (torch.randint(0, 9, (1, 10)), torch.ones(1, 10).bool()),
    )


def case_h_transformer_causal():
    from h_transformer_1d import HTransformer1D

    model = HTransformer1D(
        num_tokens=9, dim=8, depth=2, max_seq_len=16, heads=2, dim_head=4, block_size=4, causal=True, reversible=True,
        shift_tokens=True,
    )  # fmt: skip
    return model, (torch.randint(0, 9, (1, 16)),)
