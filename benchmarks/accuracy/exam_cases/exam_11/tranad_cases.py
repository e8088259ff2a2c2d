"""Cases of TranAD."""

from __future__ import annotations

import importlib

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_11"])


PACKAGES = ["TranAD"]


def f(*shape):
    return torch.randn(*shape)


def anomalies(name, module="src.models"):
    inside("TranAD")
    return getattr(importlib.import_module(module), name)


def case_tranad():
    return anomalies("TranAD")(4).double(), (f(10, 3, 4).double(), f(1, 3, 4).double())


def case_tranad_basic():
    return anomalies("TranAD_Basic")(4).double(), (f(10, 3, 4).double(), f(1, 3, 4).double())


def case_tranad_omni():
    return anomalies("OmniAnomaly")(4).double(), (f(4).double(),)


def case_tranad_lstm():
    return anomalies("LSTM_AD")(4).double(), (f(5, 4).double(),)


def case_tranad_univariate():
    return anomalies("LSTM_Univariate")(4).double(), (f(5, 4).double(),)


def case_tranad_usad():
    return anomalies("USAD")(4).double(), (f(5, 4).double(),)


def case_tranad_dagmm():
    return anomalies("DAGMM")(4).double(), (f(5, 4).double(),)


def case_tranad_mad_gan():
    return anomalies("MAD_GAN")(4).double(), (f(5, 4).double(),)


def case_tranad_mscred():
    return anomalies("MSCRED")(4).double(), (f(4, 4).double(),)


def case_tranad_energy():
    loss = anomalies("ComputeLoss", "src.dlutils")
    compute = loss(None, 0.1, 0.005, "cpu", 2)

    class Energy(torch.nn.Module):
        def forward(self, x, x_hat, z, gamma):
            return compute.forward(x, x_hat, z, gamma)

    return Energy(), (f(6, 4), f(6, 4), f(6, 3), torch.softmax(f(6, 2), 1))


def case_tranad_convlstm():
    return anomalies("ConvLSTM", "src.dlutils")(3, [4], (3, 3), 1, True, True, False), (f(2, 3, 3, 6, 6),)
