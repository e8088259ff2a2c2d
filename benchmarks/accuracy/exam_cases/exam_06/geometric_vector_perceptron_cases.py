"""Cases of geometric_vector_perceptron."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["geometric_vector_perceptron"]


def case_vector_perceptron():
    from geometric_vector_perceptron import GVP

    model = GVP(dim_vectors_in=6, dim_vectors_out=4, dim_feats_in=8, dim_feats_out=5)
    return model, ((torch.randn(1, 8), torch.randn(1, 6, 3)),)


def case_vector_norm():
    from geometric_vector_perceptron import GVPLayerNorm

    return GVPLayerNorm(8), (torch.randn(2, 8), torch.randn(2, 6, 3))
