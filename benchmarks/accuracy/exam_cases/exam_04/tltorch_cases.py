"""Cases of tltorch."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["tltorch"]


def case_factorized_linear():
    from tltorch import FactorizedLinear

    return FactorizedLinear((2, 2), (2, 3), factorization="cp", rank=2), (torch.randn(3, 4),)


def case_factorized_tucker():
    from tltorch import FactorizedLinear

    return FactorizedLinear((2, 2), (2, 3), factorization="tucker", rank=2), (torch.randn(3, 4),)


def case_factorized_conv():
    from tltorch import FactorizedConv

    return FactorizedConv(2, 3, 3, order=2, rank=2, factorization="cp"), (torch.randn(2, 2, 6, 6),)


def case_tensor_regression():
    from tltorch import TRL

    return TRL((3, 4), (2,), bias=True, factorization="cp", rank=2), (torch.randn(5, 3, 4),)


def case_tensor_contraction():
    from tltorch import TCL

    return TCL((3, 4), (2, 2)), (torch.randn(5, 3, 4),)


def case_factorized_embedding():
    from tltorch import FactorizedEmbedding

    return FactorizedEmbedding(8, 4, factorization="blocktt", rank=2), (torch.tensor([0, 3, 7]),)
