"""Cases of lion_pytorch."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from torch import nn

PACKAGES = ["lion_pytorch"]


def case_lion():
    from lion_pytorch import Lion

    class Train(nn.Module):
        def __init__(self):
            super().__init__()
            self.net = nn.Linear(3, 1)
            self.optimizer = Lion(self.net.parameters(), lr=1e-3)

        def forward(self, x):
            with torch.enable_grad():
                loss = self.net(x).sum()
                self.optimizer.zero_grad()
                loss.backward()
            self.optimizer.step()
            return loss

    return Train(), (torch.rand(2, 3),)
