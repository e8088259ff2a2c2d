"""Cases of torchkge."""

from __future__ import annotations

import sys
import types

import torch

PACKAGES = ["torchkge"]


sys.modules.setdefault("torch_sparse", types.ModuleType("torch_sparse"))  # only named in annotations there


sys.modules["torch_sparse"].SparseTensor = type("SparseTensor", (), {})


def triples():
    return torch.randint(0, 8, (4,)), torch.randint(0, 8, (4,)), torch.randint(0, 3, (4,))


class Scores(torch.nn.Module):
    """The scores of facts that hold and of facts made up."""

    def __init__(self, model) -> None:
        super().__init__()
        self.model = model

    def forward(self, heads, tails, relations, others):
        return self.model(heads, tails, relations, others, tails)


def knowledge(name: str, *options):
    import torchkge.models

    return Scores(getattr(torchkge.models, name)(*options)), (*triples(), torch.randint(0, 8, (4,)))


def case_translation():
    return knowledge("TransEModel", 4, 8, 3)


def case_translation_on_planes():
    return knowledge("TransHModel", 4, 8, 3)


def case_translation_by_relation():
    return knowledge("TransRModel", 4, 3, 8, 3)


def case_torus():
    return knowledge("TorusEModel", 4, 8, 3, "torus_L2")


def case_tensor_factors():
    return knowledge("RESCALModel", 4, 8, 3)


def case_holographic():
    return knowledge("HolEModel", 4, 8, 3)


def case_complex_numbers():
    return knowledge("ComplExModel", 4, 8, 3)


def case_conv_of_facts():
    from torchkge.models import ConvKBModel

    return Scores(ConvKBModel(4, 2, 8, 3)), (*triples(), torch.randint(0, 8, (4,)))
