"""pmixer/SASRec.pytorch: sequences that are handed over as arrays."""

from types import SimpleNamespace

import numpy as np
import torch
from exam_surroundings import inside

inside("SASRec.pytorch", "python")

from model import SASRec
from utils import evaluate

PACKAGES = ["SASRec.pytorch"]


def model(norm_first=False):
    args = SimpleNamespace(
        device="cpu", norm_first=norm_first, hidden_units=8, maxlen=5, dropout_rate=0.2, num_blocks=1, num_heads=1
    )
    return SASRec(6, 200, args)


def rows(*shape):
    return np.random.randint(1, 200, shape)


def case_model():
    return torch.compile(model()), (np.arange(2), rows(2, 5), rows(2, 5), rows(2, 5))


def case_norm_first():
    net = torch.compile(model(True))
    return net, (np.arange(2), rows(2, 5), rows(2, 5), rows(2, 5))


def case_predict():
    net = model()
    return torch.compile(net.predict), (np.arange(1), rows(1, 5), np.arange(1, 10))


def case_evaluate():
    users = {u: [1, 2, 3] for u in range(1, 4)}
    data = [users, {u: [4] for u in users}, {u: [5] for u in users}, 3, 190]
    return torch.compile(evaluate), (model().eval(), data, SimpleNamespace(maxlen=5))
