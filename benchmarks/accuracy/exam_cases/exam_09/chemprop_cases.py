"""Cases of chemprop."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent

absent(*ABSENT["exam_09_d"])


from chemprop.nn.agg import AttentiveAggregation, MeanAggregation, NormAggregation  # noqa: E402
from chemprop.nn.metrics import BinaryMCCMetric, BoundedMSE  # noqa: E402
from chemprop.nn.predictors import EvidentialFFN, MulticlassClassificationFFN, MveFFN  # noqa: E402

PACKAGES = ["chemprop"]


def case_chemprop_mean():
    return MeanAggregation(), (torch.randn(7, 5), torch.tensor([0, 0, 0, 1, 1, 2, 2]))


def case_chemprop_norm():
    return NormAggregation(), (torch.randn(7, 5), torch.tensor([0, 0, 0, 1, 1, 2, 2]))


def case_chemprop_attention():
    return AttentiveAggregation(output_size=5), (torch.randn(7, 5), torch.tensor([0, 0, 0, 1, 1, 2, 2]))


def case_chemprop_evidential():
    return EvidentialFFN(input_dim=6, hidden_dim=8), (torch.randn(4, 6),)


def case_chemprop_mve():
    return MveFFN(input_dim=6, hidden_dim=8), (torch.randn(4, 6),)


def case_chemprop_classes():
    return MulticlassClassificationFFN(3, input_dim=6, hidden_dim=8), (torch.randn(4, 6),)


def case_chemprop_bounded_error():
    return BoundedMSE(), (
        torch.randn(4, 2),
        torch.randn(4, 2),
        torch.ones(4, 2).bool(),
        torch.ones(4, 1),
        torch.zeros(4, 2).bool(),
        torch.zeros(4, 2).bool(),
    )


def case_chemprop_matthews():
    return BinaryMCCMetric(), (torch.rand(4, 2), torch.randint(0, 2, (4, 2)), torch.ones(4, 2).bool(), torch.ones(4, 1))
