"""Cases of nbeats_pytorch."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch

PACKAGES = ["nbeats_pytorch"]


def case_nbeats():
    from nbeats_pytorch.model import NBeatsNet

    return NBeatsNet(hidden_layer_units=8), (torch.rand(2, 10, 1),)


def case_nbeats_generic():
    from nbeats_pytorch.model import NBeatsNet

    kinds = (NBeatsNet.GENERIC_BLOCK, NBeatsNet.SEASONALITY_BLOCK)
    return NBeatsNet(stack_types=kinds, hidden_layer_units=8, share_weights_in_stack=True), (torch.rand(2, 10),)
