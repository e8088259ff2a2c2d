"""Cases of torch_kmeans."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["torch_kmeans"]


def case_kmeans_of_batches():
    import torch_kmeans

    return torch_kmeans.KMeans(n_clusters=3, verbose=False), (torch.randn(2, 20, 4),)


def case_soft_kmeans():
    import torch_kmeans

    return torch_kmeans.SoftKMeans(n_clusters=3, verbose=False), (torch.randn(2, 20, 4),)


def case_constrained_kmeans():
    import torch_kmeans

    model = torch_kmeans.ConstrainedKMeans(n_clusters=3, verbose=False)
    return model, (torch.randn(2, 20, 4),), {"weights": torch.full((2, 20), 0.1)}


def case_nearest_neighbours():
    from torch_kmeans.clustering import KNN

    return KNN(k=3), (torch.randn(2, 20, 4),)
