"""Cases of rtdl_num_embeddings."""

from __future__ import annotations

import torch

PACKAGES = ["rtdl_num_embeddings", "tabm"]


def case_tabm_embedded():
    from rtdl_num_embeddings import PeriodicEmbeddings
    from tabm import TabM

    return TabM.make(
        n_num_features=3, d_out=1, k=2, n_blocks=1, d_block=8, num_embeddings=PeriodicEmbeddings(3, lite=False)
    ), (torch.randn(5, 3),)


def case_piecewise():
    from rtdl_num_embeddings import PiecewiseLinearEmbeddings

    bins = [torch.tensor([0.0, 0.5, 1.0]), torch.tensor([0.0, 0.2, 0.6, 1.0])]
    return PiecewiseLinearEmbeddings(bins, 4, activation=True, version="B"), (torch.rand(5, 2),)
