"""Cases of opacus."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from torch import nn

PACKAGES = ["opacus"]


def case_private_lstm():
    from opacus.layers import DPLSTM

    return DPLSTM(4, 3, batch_first=True), (torch.randn(2, 5, 4),)


def case_private_gru():
    from opacus.layers import DPGRU

    return DPGRU(4, 3, num_layers=2, bidirectional=True), (torch.randn(5, 2, 4),)


def case_private_lstm_packed():
    from opacus.layers import DPLSTM

    model = DPLSTM(4, 3, batch_first=True)
    packed = torch.nn.utils.rnn.pack_padded_sequence(torch.randn(2, 5, 4), torch.tensor([5, 3]), batch_first=True)
    return model, (packed,)


def case_private_attention():
    from opacus.layers import DPMultiheadAttention

    q = torch.randn(5, 2, 8)
    return DPMultiheadAttention(8, 2, add_bias_kv=True), (q, q, q)


def case_sampled_gradients():
    from opacus import GradSampleModule

    return GradSampleModule(nn.Sequential(nn.Linear(4, 3), nn.ReLU())), (torch.randn(2, 4),)
