"""Cases of fast_pytorch_kmeans."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from torch import nn

PACKAGES = ["fast_pytorch_kmeans"]


class Clusters(nn.Module):
    def __init__(self, **options) -> None:
        super().__init__()
        from fast_pytorch_kmeans import KMeans

        self.kmeans = KMeans(n_clusters=3, **options)

    def forward(self, x):
        return self.kmeans.fit_predict(x)


def case_clusters():
    return Clusters(), (torch.randn(40, 4),)


def case_clusters_by_cosine():
    return Clusters(mode="cosine", init_method="kmeans++"), (torch.randn(40, 4),)
