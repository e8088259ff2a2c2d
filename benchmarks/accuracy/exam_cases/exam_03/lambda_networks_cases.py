"""Cases of lambda_networks."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["lambda_networks"]


def case_lambda():
    from lambda_networks import LambdaLayer

    return LambdaLayer(8, dim_k=4, n=8, heads=2, dim_out=8), (torch.rand(2, 8, 8, 8),)


def case_local_lambda():
    from lambda_networks import LambdaLayer

    return LambdaLayer(8, dim_k=4, r=3, heads=2, dim_out=8), (torch.rand(2, 8, 8, 8),)
