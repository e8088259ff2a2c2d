"""zhouhaoyi/Informer2020: forecasts, experiments, early stopping."""

from types import SimpleNamespace

import numpy as np
import torch
from exam_surroundings import absent, inside

absent("pandas", "sklearn")
np.Inf = np.inf
inside("Informer2020")

from exp.exp_informer import Exp_Informer
from models.model import Informer
from utils.metrics import metric
from utils.tools import EarlyStopping, StandardScaler, adjust_learning_rate, dotdict

PACKAGES = ["Informer2020"]


def options(**changed):
    return dotdict({
        "model": "informer", "enc_in": 3, "dec_in": 3, "c_out": 3, "seq_len": 12, "label_len": 6, "pred_len": 4,
        "factor": 2, "d_model": 8, "n_heads": 2, "e_layers": 2, "s_layers": [2, 1], "d_layers": 1, "d_ff": 8,
        "dropout": 0.05, "attn": "prob", "embed": "timeF", "freq": "h", "activation": "gelu",
        "output_attention": False, "distil": True, "mix": True, "use_gpu": False, "padding": 0, "features": "M",
        "learning_rate": 1e-3, "lradj": "type1", **changed,
    })  # fmt: skip


def batch():
    return torch.rand(2, 12, 3), torch.rand(2, 10, 3), torch.rand(2, 12, 4), torch.rand(2, 10, 4)


def case_model():
    experiment = Exp_Informer(options())
    x, y, x_mark, y_mark = batch()
    return torch.compile(experiment.model), (x, x_mark, y, y_mark)


def case_full_attention():
    model = Informer(3, 3, 3, 12, 6, 4, 2, 8, 2, 2, 1, 8, attn="full", embed="fixed", device=torch.device("cpu"))
    marks = torch.zeros(2, 12, 4).long(), torch.zeros(2, 10, 4).long()
    return torch.compile(model), (torch.rand(2, 12, 3), marks[0], torch.rand(2, 10, 3), marks[1])


def case_batch():
    experiment = Exp_Informer(options())
    return torch.compile(experiment._process_one_batch), (None, *batch())


def case_validation():
    experiment = Exp_Informer(options(padding=1, model="informerstack"))
    return torch.compile(experiment.vali), (None, [batch()], torch.nn.MSELoss())


def case_step():
    experiment = Exp_Informer(options())
    optimizer = experiment._select_optimizer()
    criterion = experiment._select_criterion()

    def step(*given):
        optimizer.zero_grad()
        predicted, true = experiment._process_one_batch(None, *given)
        loss = criterion(predicted, true)
        loss.backward()
        optimizer.step()
        return loss.item()

    return torch.compile(step), batch()


def case_stopping():
    stopping = EarlyStopping(patience=2)
    stopping.best_score = torch.tensor(-0.5)
    return torch.compile(stopping), (torch.tensor(0.7), torch.nn.Linear(2, 2), ".")


def case_scaler():
    scaler = StandardScaler()
    scaler.mean, scaler.std = torch.zeros(3), torch.ones(3)
    return torch.compile(scaler.inverse_transform), (torch.rand(2, 4, 3),)


def case_learning_rate():
    optimizer = torch.optim.SGD([torch.rand(2)], lr=0.1)
    args = SimpleNamespace(lradj="type1", learning_rate=0.1)
    return torch.compile(adjust_learning_rate), (optimizer, 2, args)


def case_metric():
    return torch.compile(metric), (np.ones((2, 3)), np.ones((2, 3)) * 2)
