"""Cases of torchsurv."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["torchsurv"]


class CoxLoss(torch.nn.Module):
    def __init__(self, ties: str) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(4, 1)
        self.ties = ties

    def forward(self, x, event, time):
        from torchsurv.loss.cox import neg_partial_log_likelihood

        return neg_partial_log_likelihood(self.layer(x), event, time, ties_method=self.ties)


class WeibullLoss(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(4, 2)

    def forward(self, x, event, time):
        from torchsurv.loss.weibull import neg_log_likelihood_weibull, survival_function_weibull

        told = self.layer(x)
        return neg_log_likelihood_weibull(told, event, time), survival_function_weibull(told, time)


class Concordance(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(4, 1)

    def forward(self, x, event, time):
        from torchsurv.metrics.cindex import ConcordanceIndex

        return ConcordanceIndex()(self.layer(x).squeeze(1), event, time)


def patients():
    return torch.randn(8, 4), torch.arange(8) % 2 == 0, torch.arange(8.0) // 2 + 1


def case_cox_efron():
    return CoxLoss("efron"), patients()


def case_cox_breslow():
    return CoxLoss("breslow"), patients()


def case_cox_without_ties():
    x, event, time = patients()
    return CoxLoss("efron"), (x, event, time + torch.arange(8) * 0.01)


def case_weibull():
    return WeibullLoss(), patients()


def case_concordance():
    return Concordance(), patients()
