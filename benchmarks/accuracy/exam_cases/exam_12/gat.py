"""Diego999/pyGAT: dense and sparse attention on graphs."""

import torch
from exam_surroundings import absent, inside

absent("scipy")
inside("pyGAT")

from models import GAT, SpGAT
from utils import accuracy

PACKAGES = ["pyGAT"]


def case_dense():
    return torch.compile(GAT(5, 4, 3, 0.5, 0.2, 2)), (torch.rand(6, 5), torch.eye(6))


def case_sparse():
    return torch.compile(SpGAT(5, 4, 3, 0.5, 0.2, 2)), (torch.rand(6, 5), torch.eye(6))


def case_accuracy():
    return torch.compile(accuracy), (torch.rand(6, 3), torch.randint(0, 3, (6,)))
