"""Cases of brevitas."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from torch import nn

PACKAGES = ["brevitas"]


def case_brevitas_linear():
    from brevitas import nn as qnn

    return qnn.QuantLinear(4, 5, bias=True, weight_bit_width=4), (torch.rand(2, 4),)


def case_brevitas_conv():
    from brevitas import nn as qnn

    layers = qnn.QuantIdentity(bit_width=4), qnn.QuantConv2d(1, 2, 3, weight_bit_width=4), qnn.QuantReLU()
    return nn.Sequential(*layers), (torch.rand(1, 1, 6, 6),)


def case_brevitas_returning():
    from brevitas import nn as qnn

    return (
        nn.Sequential(qnn.QuantIdentity(return_quant_tensor=True), qnn.QuantReLU(return_quant_tensor=True)),
        (torch.rand(2, 4),),
    )


def case_brevitas_lstm():
    from brevitas import nn as qnn

    return qnn.QuantLSTM(3, 4), (torch.rand(5, 2, 3),)


def case_brevitas_ternary():
    from brevitas.core.quant import TernaryQuant
    from brevitas.core.scaling import ConstScaling

    return TernaryQuant(ConstScaling(1.0), 0.5), (torch.randn(4),)
