"""Cases of torchnlp."""

from __future__ import annotations

import exam_surroundings  # noqa: F401 - the operators of torchvision
import torch
from torch import nn
from torchnlp.encoders.text import stack_and_pad_tensors
from torchnlp.metrics import get_token_accuracy

PACKAGES = ["torchnlp"]


def case_cnn_encoder():
    from torchnlp.nn import CNNEncoder

    return CNNEncoder(4, 3, (2, 3)), (torch.randn(2, 6, 4),)


def case_attention_of_queries():
    from torchnlp.nn import Attention

    return Attention(4), (torch.randn(2, 1, 4), torch.randn(2, 5, 4))


def case_locked_dropout():
    from torchnlp.nn import LockedDropout

    return LockedDropout(0.5), (torch.randn(2, 6, 4),)


def case_weight_drop():
    from torchnlp.nn import WeightDropLinear

    return WeightDropLinear(4, 3, weight_dropout=0.5), (torch.randn(2, 4),)


def case_weight_drop_gru():
    from torchnlp.nn import WeightDropGRU

    return WeightDropGRU(4, 3, weight_dropout=0.5), (torch.randn(5, 2, 4),)


class TokenAccuracy(nn.Module):
    def forward(self, x, y):
        return get_token_accuracy(x, y, ignore_index=0)


def case_token_accuracy():
    return TokenAccuracy(), (torch.tensor([[1, 2], [0, 1]]), torch.tensor([[1, 1], [0, 1]]))


class PadTensors(nn.Module):
    def forward(self, a, b):
        return stack_and_pad_tensors([a, b])


def case_pad_tensors():
    return PadTensors(), (torch.arange(3), torch.arange(5))
