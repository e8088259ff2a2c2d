"""Cases of UMNN."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from torch import nn

PACKAGES = ["UMNN"]


def case_monotonic():
    from UMNN import MonotonicNN

    return MonotonicNN(3, [8], nb_steps=4), (torch.rand(4, 1), torch.rand(4, 2))


def case_umnn_flow():
    from UMNN import UMNNMAFFlow

    return UMNNMAFFlow(nb_flow=1, nb_in=3, hidden_derivative=[8], hidden_embedding=[8], nb_steps=4), (torch.rand(4, 3),)


def case_umnn_made():
    from UMNN.made import MADE

    return MADE(4, [8], 8, num_masks=1, natural_ordering=True), (torch.rand(3, 4),)


def case_umnn_log_likelihood():
    from UMNN import UMNNMAFFlow

    class Likelihood(nn.Module):
        def __init__(self):
            super().__init__()
            self.flow = UMNNMAFFlow(nb_flow=1, nb_in=3, hidden_derivative=[8], hidden_embedding=[8], nb_steps=4)

        def forward(self, x):
            return self.flow.compute_ll(x)

    return Likelihood(), (torch.rand(4, 3),)
