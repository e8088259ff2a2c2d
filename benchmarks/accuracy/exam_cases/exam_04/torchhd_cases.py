"""Cases of torchhd."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
import torchhd
from torch import nn

PACKAGES = ["torchhd"]


def case_random_embedding():
    from torchhd import embeddings

    return embeddings.Random(6, 16), (torch.tensor([0, 5]),)


def case_level_embedding():
    from torchhd import embeddings

    return embeddings.Level(6, 16), (torch.rand(3),)


def case_projection_embedding():
    from torchhd import embeddings

    return embeddings.Projection(4, 16), (torch.rand(3, 4),)


def case_sinusoid_embedding():
    from torchhd import embeddings

    return embeddings.Sinusoid(4, 16), (torch.rand(3, 4),)


def case_thermometer_embedding():
    from torchhd import embeddings

    return embeddings.Thermometer(6, 16), (torch.rand(3),)


def case_centroid():
    from torchhd.models import Centroid

    return Centroid(16, 3), (torch.randn(2, 16),)


class HyperdimensionalNgrams(nn.Module):
    def forward(self, x):
        return torchhd.ngrams(x, n=2)


def case_hyperdimensional_ngrams():
    return HyperdimensionalNgrams(), (torchhd.random(5, 16),)


class HyperdimensionalQuantize(nn.Module):
    def forward(self, x):
        return torchhd.hard_quantize(torchhd.multiset(torchhd.bind(x, x)))


def case_hyperdimensional_quantize():
    return HyperdimensionalQuantize(), (torchhd.random(5, 16),)


class HashTable(nn.Module):
    def forward(self, x, y):
        return torchhd.hash_table(x, y)


def case_hash_table():
    return HashTable(), (torchhd.random(3, 16), torchhd.random(3, 16))
