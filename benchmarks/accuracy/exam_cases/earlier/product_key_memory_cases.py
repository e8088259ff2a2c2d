"""Cases of product_key_memory."""

from __future__ import annotations

import torch

PACKAGES = ["product_key_memory"]


def case_product_key_memory():
    from product_key_memory import PKM

    return (
        PKM(dim=16, heads=2, dim_head=16, num_keys=8, topk=4),
        (torch.randn(1, 16, 16),),
        {"input_mask": torch.ones(1, 16).bool()},
    )
