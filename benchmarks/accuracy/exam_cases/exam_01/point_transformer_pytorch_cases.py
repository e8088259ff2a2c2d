"""Cases of point_transformer_pytorch."""

from __future__ import annotations

import sys
import types

import torch

PACKAGES = ["point_transformer_pytorch"]


sys.modules.setdefault("torch_sparse", types.ModuleType("torch_sparse"))  # only named in annotations there


sys.modules["torch_sparse"].SparseTensor = type("SparseTensor", (), {})


def cloud(n: int = 32, batch: int = 2) -> torch.Tensor:
    return torch.rand(batch, n, 3)


def case_point_transformer():
    from point_transformer_pytorch import PointTransformerLayer

    model = PointTransformerLayer(dim=8, pos_mlp_hidden_dim=8, attn_mlp_hidden_mult=2, num_neighbors=4)
    return model, (torch.rand(1, 16, 8), cloud(16, 1), torch.ones(1, 16).bool())
