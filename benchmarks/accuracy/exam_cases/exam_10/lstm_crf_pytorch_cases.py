"""Cases of lstm-crf-pytorch."""

from __future__ import annotations

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_10_c"])


PACKAGES = ["lstm-crf-pytorch"]


def case_lstm_crf():
    inside("lstm-crf-pytorch")
    import utils

    utils.randn, utils.zeros = torch.randn, torch.zeros  # what they are where there is a GPU
    from rnn_crf import rnn_crf

    words = torch.tensor([[4, 5, 6], [7, 8, 9], [5, 6, 0], [7, 0, 0]])
    tags = torch.tensor([[1, 1, 1], [4, 5, 6], [5, 6, 4], [4, 5, 0], [6, 0, 0]])
    return rnn_crf({}, dict.fromkeys(range(12)), 7), (None, words, tags)


def case_lstm_crf_encoder():
    model, (_, words, tags) = case_lstm_crf()
    return model.rnn, (None, words, tags[1:].gt(0).float())


def case_lstm_crf_layer():
    inside("lstm-crf-pytorch")
    import utils

    utils.randn, utils.zeros = torch.randn, torch.zeros  # what they are where there is a GPU
    from crf import crf

    tags = torch.tensor([[1, 1, 1], [4, 5, 6], [5, 6, 4], [4, 5, 0]])
    return crf(7), (torch.randn(3, 3, 7), tags, tags[1:].gt(0).float())
