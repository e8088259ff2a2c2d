"""Cases of equiformer_pytorch."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["equiformer_pytorch"]


def case_equiformer():
    from equiformer_pytorch import Equiformer

    model = Equiformer(
        num_tokens=5, dim=(4, 2), dim_head=(4, 2), heads=(1, 1), num_degrees=2, depth=1, num_neighbors=2,
        attend_self=True, reduce_dim_out=True,
    )  # fmt: skip
    return model, (torch.randint(0, 5, (1, 6)), torch.randn(1, 6, 3), torch.ones(1, 6).bool())


def case_equiformer_adjacent():
    from equiformer_pytorch import Equiformer

    model = Equiformer(
        num_tokens=5, dim=(4, 2), dim_head=(4, 2), heads=(1, 1), num_degrees=2, depth=1, num_neighbors=0,
        num_adj_degrees_embed=1, max_sparse_neighbors=3,
    )  # fmt: skip
    adjacent = (torch.arange(6)[:, None] - torch.arange(6)[None]).abs() == 1
    return model, (torch.randint(0, 5, (1, 6)), torch.randn(1, 6, 3), torch.ones(1, 6).bool(), adjacent)
