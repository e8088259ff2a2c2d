"""Cases of recurrent_memory_transformer_pytorch."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["recurrent_memory_transformer_pytorch"]


def case_recurrent_memory():
    from recurrent_memory_transformer_pytorch import RecurrentMemoryTransformer

    model = RecurrentMemoryTransformer(
        16, num_tokens=20, depth=2, num_memory_tokens=2, seq_len=8, dim_head=8, heads=2, use_xl_memories=True
    )
    return model, (torch.randint(0, 20, (1, 8)),)


def case_recurrent_memory_over_segments():
    from recurrent_memory_transformer_pytorch import RecurrentMemoryTransformer, RecurrentMemoryTransformerWrapper

    model = RecurrentMemoryTransformer(16, num_tokens=20, depth=2, num_memory_tokens=2, seq_len=8, dim_head=8, heads=2)
    return RecurrentMemoryTransformerWrapper(model), (torch.randint(0, 20, (1, 20)),), {"return_loss": True}
