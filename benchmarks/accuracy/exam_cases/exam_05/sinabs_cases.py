"""Cases of sinabs."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import sinabs.layers as sl
import torch
from torch import nn

PACKAGES = ["sinabs"]


def case_sinabs_lif():
    return sl.LIF(tau_mem=10.0), (torch.rand(2, 6, 4),)


def case_sinabs_iaf():
    return sl.IAF(), (torch.rand(2, 6, 4),)


def case_sinabs_iaf_squeeze():
    return sl.IAFSqueeze(batch_size=2), (torch.rand(12, 4),)


def case_sinabs_alif():
    return sl.ALIF(tau_mem=10.0, tau_adapt=10.0), (torch.rand(2, 6, 4),)


def case_sinabs_lif_recurrent():
    return sl.LIFRecurrent(tau_mem=10.0, rec_connect=nn.Linear(4, 4)), (torch.rand(2, 6, 4),)


def case_sinabs_exp_leak():
    return sl.ExpLeak(tau_mem=10.0), (torch.rand(2, 6, 4),)


def case_sinabs_relu():
    return sl.NeuromorphicReLU(stochastic_rounding=True), (torch.rand(2, 4),)


def case_sinabs_quantize():
    return sl.QuantizeLayer(), (torch.rand(2, 4),)


def case_sinabs_pool():
    return sl.SpikingMaxPooling2dLayer((2, 2)), ((torch.rand(6, 1, 4, 4) > 0.5).float(),)


def case_sinabs_img():
    return sl.Img2SpikeLayer((1, 4, 4), tw=5), (torch.rand(1, 4, 4) * 255,)


def case_sinabs_sig():
    return sl.Sig2SpikeLayer(2, tw=2), (torch.rand(2, 10),)


def case_sinabs_crop():
    return sl.Cropping2dLayer(((1, 1), (1, 1))), (torch.rand(2, 1, 6, 6),)
