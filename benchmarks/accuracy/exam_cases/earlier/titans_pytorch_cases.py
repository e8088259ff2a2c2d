"""Cases of titans_pytorch."""

from __future__ import annotations

import torch

PACKAGES = ["titans_pytorch"]


def tokens(*shape: int, upper: int = 50) -> torch.Tensor:
    return torch.randint(0, upper, shape)


def case_neural_memory():
    from titans_pytorch import NeuralMemory

    return NeuralMemory(dim=16, chunk_size=4), (torch.randn(2, 16, 16),)


def case_neural_memory_momentum():
    from titans_pytorch import NeuralMemory

    return NeuralMemory(
        dim=16, chunk_size=4, heads=2, dim_head=8, qk_rmsnorm=True, max_grad_norm=2.0, momentum_order=2
    ), (torch.randn(2, 15, 16),)


def case_memory_as_context():
    from titans_pytorch import MemoryAsContextTransformer

    model = MemoryAsContextTransformer(
        num_tokens=50,
        dim=16,
        depth=2,
        segment_len=8,
        num_persist_mem_tokens=2,
        num_longterm_mem_tokens=2,
        dim_head=8,
        heads=2,
    )
    return model, (tokens(1, 31),), {"return_loss": True}


def case_implicit_mlp_attention():
    from titans_pytorch.implicit_mlp_attention import ImplicitMLPAttention

    return ImplicitMLPAttention(16, (8, 8), heads=2), (torch.randn(1, 8, 16),)
