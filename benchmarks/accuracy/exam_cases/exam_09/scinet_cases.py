"""Cases of SCINet."""

from __future__ import annotations

import torch
from exam_configurations import forecast
from exam_surroundings import inside

PACKAGES = ["SCINet"]


def case_tsl_scinet():
    return forecast("SCINet")


def case_scinet():
    inside("SCINet")
    from models.SCINet import SCINet

    return SCINet(output_len=24, input_len=48, input_dim=7, hid_size=1, num_levels=2), (torch.randn(2, 48, 7),)


def case_scinet_two_stacks_and_positions():
    inside("SCINet")
    from models.SCINet import SCINet

    model = SCINet(24, 48, input_dim=7, num_stacks=2, num_levels=2, concat_len=0, positionalE=True, RIN=True)
    return model, (torch.randn(2, 48, 7),)


def case_scinet_decompose():
    inside("SCINet")
    from models.SCINet_decompose import SCINet_decompose

    return SCINet_decompose(24, 48, input_dim=7, num_levels=2, RIN=True), (torch.randn(2, 48, 7),)
