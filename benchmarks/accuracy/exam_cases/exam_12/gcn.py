"""tkipf/pygcn: a graph network and its accuracy."""

import torch
from exam_surroundings import absent, inside

absent("scipy")
inside("pygcn")

from pygcn.models import GCN
from pygcn.utils import accuracy

PACKAGES = ["pygcn"]


def case_model():
    model = torch.compile(GCN(5, 8, 3, 0.5))
    return model, (torch.rand(6, 5), torch.eye(6))


def case_accuracy():
    return torch.compile(accuracy), (torch.rand(6, 3), torch.randint(0, 3, (6,)))


def case_step():
    model = GCN(5, 8, 3, 0.5)
    optimizer = torch.optim.Adam(model.parameters())
    rows = torch.arange(4)

    @torch.compile
    def step(features, adj, labels):
        optimizer.zero_grad()
        output = model(features, adj)
        loss = torch.nn.functional.nll_loss(output[rows], labels[rows])
        measure = accuracy(output[rows], labels[rows])
        loss.backward()
        optimizer.step()
        return loss, measure

    return step, (torch.rand(6, 5), torch.eye(6), torch.randint(0, 3, (6,)))
