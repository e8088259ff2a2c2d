"""Cases of allrank."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from allrank.models import losses
from torch import nn

PACKAGES = ["allrank"]


def ranking(loss):
    class Loss(nn.Module):
        def forward(self, predicted, true):
            return loss(predicted, true)

    return Loss(), (torch.randn(4, 6), torch.randint(0, 3, (4, 6)).float())


def case_rank_approx_ndcg():
    class Loss(nn.Module):
        def forward(self, predicted, true):
            return losses.approxNDCGLoss(predicted, true)

    return Loss(), ranking(None)[1]


def case_rank_lambda():
    class Loss(nn.Module):
        def forward(self, predicted, true):
            return losses.lambdaLoss(predicted, true, weighing_scheme="ndcgLoss2_scheme", k=3)

    return Loss(), ranking(None)[1]


def case_rank_list_mle():
    class Loss(nn.Module):
        def forward(self, predicted, true):
            return losses.listMLE(predicted, true) + losses.listNet(predicted, true)

    return Loss(), ranking(None)[1]


def case_rank_net():
    class Loss(nn.Module):
        def forward(self, predicted, true):
            return losses.rankNet(predicted, true, weight_by_diff=True)

    return Loss(), ranking(None)[1]


def case_rank_neural_ndcg():
    class Loss(nn.Module):
        def forward(self, predicted, true):
            return losses.neuralNDCG(predicted, true, stochastic=True, n_samples=2)

    return Loss(), ranking(None)[1]


def case_rank_ordinal():
    class Loss(nn.Module):
        def forward(self, predicted, true):
            return losses.ordinal(predicted, true, n=2) + losses.pointwise_rmse(predicted[..., 0], true, 2)

    return Loss(), (torch.rand(4, 6, 2), torch.randint(0, 3, (4, 6)).float())


def case_rank_bce():
    class Loss(nn.Module):
        def forward(self, predicted, true):
            return losses.binary_listNet(predicted, true) + losses.bce(predicted.sigmoid(), true)

    return Loss(), (torch.randn(4, 6), torch.randint(0, 2, (4, 6)).float())


def case_allrank_model():
    from allrank.models.model import make_model

    model = make_model(
        {"sizes": [8], "input_norm": True, "activation": None, "dropout": 0.0},
        None,
        {"d_output": 1, "output_activation": None},
        5,
    )
    return model, (torch.rand(2, 4, 5), torch.zeros(2, 4, dtype=torch.bool), torch.arange(4).repeat(2, 1))


def case_allrank_metrics():
    from allrank.models import metrics

    class Metrics(nn.Module):
        def forward(self, predicted, true):
            return metrics.ndcg(predicted, true, ats=[2, 4]), metrics.mrr(predicted, true, ats=[2])

    return Metrics(), ranking(None)[1]
