"""Cases of titans_pytorch."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["titans_pytorch"]


def case_neural_memory():
    from titans_pytorch import NeuralMemory

    return NeuralMemory(dim=16, chunk_size=4), (torch.randn(2, 8, 16),)


def case_memory_as_context():
    from titans_pytorch import MemoryAsContextTransformer

    model = MemoryAsContextTransformer(
        num_tokens=20,
        dim=16,
        depth=2,
        segment_len=8,
        num_persist_mem_tokens=2,
        num_longterm_mem_tokens=2,
        dim_head=8,
        heads=2,
    )
    return model, (torch.randint(0, 20, (1, 16)),)
