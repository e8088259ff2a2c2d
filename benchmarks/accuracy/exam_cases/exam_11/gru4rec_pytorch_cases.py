"""Cases of GRU4REC-pytorch."""

from __future__ import annotations

import importlib

import torch
from exam_surroundings import ABSENT, absent, inside

absent(*ABSENT["exam_11"])


PACKAGES = ["GRU4REC-pytorch"]


def f(*shape):
    return torch.randn(*shape)


def tokens(high, *shape):
    return torch.randint(1, high, shape)


def case_gru4rec():
    inside("GRU4REC-pytorch", "lib")
    model = importlib.import_module("model").GRU4REC(20, 16, 20, batch_size=4)
    return model, (tokens(20, 4), torch.zeros(1, 4, 16))


def case_gru4rec_embedding():
    inside("GRU4REC-pytorch", "lib")
    model = importlib.import_module("model").GRU4REC(
        20, 16, 20, final_act="elu-0.5", dropout_input=0.2, batch_size=4, embedding_dim=8
    )
    return model, (tokens(20, 4), torch.zeros(1, 4, 16))


def case_gru4rec_one_hot_dropout():
    inside("GRU4REC-pytorch", "lib")
    model = importlib.import_module("model").GRU4REC(20, 16, 20, dropout_input=0.3, batch_size=4)
    return model, (tokens(20, 4), torch.zeros(1, 4, 16))


def gru_loss(kind):
    inside("GRU4REC-pytorch", "lib")
    return importlib.import_module("lossfunction").LossFunction(kind), (f(4, 4),)


def case_gru4rec_top1():
    return gru_loss("TOP1")


def case_gru4rec_top1_max():
    return gru_loss("TOP1-max")


def case_gru4rec_bpr():
    return gru_loss("BPR")


def case_gru4rec_bpr_max():
    return gru_loss("BPR-max")


def case_gru4rec_cross_entropy():
    return gru_loss("CrossEntropy")
