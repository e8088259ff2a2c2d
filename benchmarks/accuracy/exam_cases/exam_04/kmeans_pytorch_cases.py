"""Cases of kmeans_pytorch."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from kmeans_pytorch import kmeans, kmeans_predict, pairwise_cosine
from torch import nn

PACKAGES = ["kmeans_pytorch"]


class Kmeans(nn.Module):
    def forward(self, x):
        return kmeans(x, num_clusters=2)


def case_kmeans():
    return Kmeans(), (torch.rand(12, 2),)


class KmeansPredict(nn.Module):
    def forward(self, x, y):
        return kmeans_predict(x, y)


def case_kmeans_predict():
    return KmeansPredict(), (torch.rand(12, 2), torch.rand(2, 2))


class KmeansDistances(nn.Module):
    def forward(self, x, y):
        return pairwise_cosine(x, y)


def case_kmeans_distances():
    return KmeansDistances(), (torch.rand(12, 2), torch.rand(2, 2))
