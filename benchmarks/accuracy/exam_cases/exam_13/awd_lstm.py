"""salesforce/awd-lstm-lm: dropout of weights, embeddings and rows."""

import torch
from exam_surroundings import inside

inside("awd-lstm-lm")

from embed_regularize import embedded_dropout
from locked_dropout import LockedDropout
from model import RNNModel
from splitcross import SplitCrossEntropyLoss
from utils import batchify, get_batch, repackage_hidden
from weight_drop import WeightDrop

PACKAGES = ["awd-lstm-lm"]


def case_embedding():
    return torch.compile(embedded_dropout), (torch.nn.Embedding(10, 4), torch.randint(0, 10, (3, 2))), {"dropout": 0.1}


def case_locked():
    return torch.compile(LockedDropout()), (torch.rand(3, 2, 4),)


def case_weight_drop():
    model = WeightDrop(torch.nn.Linear(4, 4), ["weight"], dropout=0.5)
    return torch.compile(model), (torch.rand(2, 4),)


def case_model():
    model = RNNModel("LSTM", 12, 6, 8, 2, tie_weights=True)
    return torch.compile(model), (torch.randint(0, 12, (4, 2)), model.init_hidden(2))


def case_gru():
    model = RNNModel("GRU", 12, 6, 8, 1)
    return torch.compile(model), (torch.randint(0, 12, (4, 2)), model.init_hidden(2))


def case_loss():
    criterion = SplitCrossEntropyLoss(6, splits=[4], verbose=False)
    args = (torch.rand(12, 6), torch.rand(12), torch.rand(5, 6), torch.randint(0, 12, (5,)))
    return torch.compile(criterion), args


def case_repackage():
    return torch.compile(repackage_hidden), ((torch.rand(2), torch.rand(2)),)


def case_batchify():
    class Args:
        cuda = False
        bptt = 3

    def both(data):
        return get_batch(batchify(data, 2, Args), 0, Args)

    return torch.compile(both), (torch.arange(20),)
