"""Cases of native_sparse_attention_pytorch."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["native_sparse_attention_pytorch"]


def case_sparse_attention():
    from native_sparse_attention_pytorch import SparseAttention

    model = SparseAttention(
        dim=32, dim_head=8, heads=2, sliding_window_size=2, compress_block_size=4, compress_block_sliding_stride=2,
        selection_block_size=4, num_selected_blocks=2, causal=True,
    )  # fmt: skip
    return model, (torch.randn(2, 16, 32),)
