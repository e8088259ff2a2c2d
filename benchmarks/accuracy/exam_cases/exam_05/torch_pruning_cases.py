"""Cases of torch_pruning."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from torch import nn

PACKAGES = ["torch_pruning"]


def case_pruning_importance():
    import torch_pruning as tp

    class Importance(nn.Module):
        def __init__(self):
            super().__init__()
            self.net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Conv2d(4, 4, 3))
            self.graph = tp.DependencyGraph().build_dependency(self.net, torch.rand(1, 3, 8, 8))
            self.importance = tp.importance.MagnitudeImportance(p=2)

        def forward(self, x):
            group = self.graph.get_pruning_group(self.net[0], tp.prune_conv_out_channels, idxs=[0, 1])
            return self.net(x).sum() + self.importance(group).sum()

    return Importance(), (torch.rand(1, 3, 8, 8),)
