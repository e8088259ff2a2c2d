"""guoyang9/NCF: rankings and their measures."""

import torch
from exam_surroundings import inside

inside("NCF")

from evaluate import metrics
from model import NCF

PACKAGES = ["NCF"]


def case_model():
    return torch.compile(NCF(10, 20, 4, 2, 0.0, "NeuMF-end")), (torch.arange(4), torch.arange(4))


def case_gmf():
    return torch.compile(NCF(10, 20, 4, 2, 0.0, "GMF")), (torch.arange(4), torch.arange(4))


def case_metrics():
    model = NCF(10, 20, 4, 2, 0.0, "MLP")
    loader = [(torch.zeros(6).long(), torch.arange(6), torch.zeros(6))]
    return torch.compile(metrics), (model, loader, 3)


def case_step():
    model = NCF(10, 20, 4, 2, 0.0, "MLP")
    optimizer = torch.optim.Adam(model.parameters())
    criterion = torch.nn.BCEWithLogitsLoss()

    def step(user, item, label):
        model.zero_grad()
        loss = criterion(model(user, item), label)
        loss.backward()
        optimizer.step()
        return loss

    return torch.compile(step), (torch.arange(4), torch.arange(4), torch.ones(4))
