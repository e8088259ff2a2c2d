"""gusye1234/LightGCN-PyTorch: a loss that trains."""

import sys
from types import SimpleNamespace

import torch
from exam_surroundings import absent, inside

absent("scipy", "sklearn", "pandas", "cppimport", "tensorboardX", "tensorboard", "torch.utils.tensorboard")
inside("LightGCN-PyTorch", "code")

arguments, sys.argv = sys.argv, ["main.py"]
from model import LightGCN, PureMF
from utils import BPRLoss

sys.argv = arguments

PACKAGES = ["LightGCN-PyTorch"]


def config():
    return {
        "latent_dim_rec": 4, "lightGCN_n_layers": 2, "keep_prob": 0.6, "A_split": False, "pretrain": 0,
        "dropout": True, "decay": 1e-4, "lr": 1e-3,
    }  # fmt: skip


def data():
    graph = torch.eye(9).to_sparse().coalesce()
    return SimpleNamespace(n_users=4, m_items=5, getSparseGraph=lambda: graph)


def triples():
    return torch.arange(3), torch.arange(3), torch.arange(3) + 1


def case_factors():
    model = PureMF(config(), data())
    return torch.compile(model), triples()[:2]


def case_factors_loss():
    model = PureMF(config(), data())
    return torch.compile(model.bpr_loss), triples()


def case_factors_step():
    learner = BPRLoss(PureMF(config(), data()), config())
    return torch.compile(learner.stageOne), triples()


def case_model():
    model = torch.compile(LightGCN(config(), data()))
    return model, triples()[:2]


def case_loss():
    model = LightGCN(config(), data())
    return torch.compile(model.bpr_loss), triples()


def case_step():
    learner = BPRLoss(LightGCN(config(), data()), config())
    step = torch.compile(learner.stageOne)
    return step, triples()


def case_rating():
    model = LightGCN(config(), data())
    return torch.compile(model.getUsersRating), (torch.arange(3),)
