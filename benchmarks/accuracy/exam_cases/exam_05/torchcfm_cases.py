"""Cases of torchcfm."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from torch import nn

PACKAGES = ["torchcfm"]


def case_torchcfm_unet():
    from torchcfm.models.unet import UNetModel

    return (
        UNetModel((1, 8, 8), num_channels=32, num_res_blocks=1, channel_mult=(1, 2), attention_resolutions="4"),
        (torch.tensor([0.2, 0.5]), torch.rand(2, 1, 8, 8)),
    )


def case_torchcfm_matching():
    from torchcfm import ConditionalFlowMatcher

    class Step(nn.Module):
        def __init__(self):
            super().__init__()
            self.net = nn.Linear(3, 2)
            self.matcher = ConditionalFlowMatcher(sigma=0.1)

        def forward(self, a, b):
            t, x, u = self.matcher.sample_location_and_conditional_flow(a, b)
            return ((self.net(torch.cat([x, t[:, None]], -1)) - u) ** 2).mean()

    return Step(), (torch.rand(4, 2), torch.rand(4, 2))


def case_torchcfm_ot():
    from torchcfm import ExactOptimalTransportConditionalFlowMatcher

    class Step(nn.Module):
        def __init__(self):
            super().__init__()
            self.net = nn.Linear(3, 2)
            self.matcher = ExactOptimalTransportConditionalFlowMatcher(sigma=0.1)

        def forward(self, a, b):
            t, x, u = self.matcher.sample_location_and_conditional_flow(a, b)
            return ((self.net(torch.cat([x, t[:, None]], -1)) - u) ** 2).mean()

    return Step(), (torch.rand(4, 2), torch.rand(4, 2))


def case_torchcfm_schroedinger():
    from torchcfm import SchrodingerBridgeConditionalFlowMatcher

    class Step(nn.Module):
        def __init__(self):
            super().__init__()
            self.matcher = SchrodingerBridgeConditionalFlowMatcher(sigma=0.5)

        def forward(self, a, b):
            return self.matcher.sample_location_and_conditional_flow(a, b)[2]

    return Step(), (torch.rand(4, 2), torch.rand(4, 2))
