"""Cases of torchensemble."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from torch import nn

PACKAGES = ["torchensemble"]


class Classifier(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(6, 3)

    def forward(self, x):
        return self.layer(x)


def ensemble(name: str):
    import torchensemble

    model = getattr(torchensemble, name)(estimator=Classifier, n_estimators=2, cuda=False)
    model.n_outputs = 3
    model.estimators_.extend([Classifier(), Classifier()])
    return model, (torch.randn(4, 6),)


def case_fusion():
    return ensemble("FusionClassifier")


def case_voting():
    return ensemble("VotingClassifier")


def case_bagging():
    return ensemble("BaggingRegressor")


def case_neural_tree():
    from torchensemble._base import BaseTree

    return BaseTree(6, 3, depth=2), (torch.randn(4, 6),)
