"""Cases of product_key_memory."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["product_key_memory"]


def case_product_keys():
    from product_key_memory import PKM

    return PKM(dim=8, heads=2, num_keys=4, topk=2, dim_head=4), (torch.randn(1, 6, 8),)
