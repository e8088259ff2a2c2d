"""Cases of recurrent_memory_transformer_pytorch."""

from __future__ import annotations

import torch

PACKAGES = ["recurrent_memory_transformer_pytorch"]


def tokens(*shape: int, upper: int = 50) -> torch.Tensor:
    return torch.randint(0, upper, shape)


def case_recurrent_memory():
    from recurrent_memory_transformer_pytorch import RecurrentMemoryTransformer

    model = RecurrentMemoryTransformer(
        num_tokens=50,
        num_memory_tokens=4,
        dim=16,
        depth=2,
        causal=True,
        dim_head=8,
        heads=2,
        seq_len=16,
        use_flash_attn=False,
    )
    return model, (tokens(1, 16),)


def case_recurrent_memory_wrapper():
    from recurrent_memory_transformer_pytorch import RecurrentMemoryTransformer, RecurrentMemoryTransformerWrapper

    model = RecurrentMemoryTransformer(
        num_tokens=50,
        num_memory_tokens=4,
        dim=16,
        depth=2,
        causal=True,
        dim_head=8,
        heads=2,
        seq_len=16,
        use_flash_attn=True,
        use_xl_memories=True,
    )
    return RecurrentMemoryTransformerWrapper(model), (tokens(1, 40),), {"return_loss": True}
