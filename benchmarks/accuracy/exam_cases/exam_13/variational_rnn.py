"""emited/VariationalRecurrentNeuralNetwork: a model that loops over time."""

import torch
from exam_surroundings import absent, inside

absent("torchvision", "matplotlib")
inside("VariationalRecurrentNeuralNetwork")

from model import VRNN

PACKAGES = ["VariationalRecurrentNeuralNetwork"]


def case_model():
    return torch.compile(VRNN(4, 6, 3, 1)), (torch.rand(3, 2, 4),)


def case_sample():
    model = VRNN(4, 6, 3, 1)
    return torch.compile(model.sample), (2,)


def case_step():
    model = VRNN(4, 6, 3, 1)
    optimizer = torch.optim.Adam(model.parameters())

    def step(x):
        optimizer.zero_grad()
        kld, nll, _, _ = model(x)
        loss = kld + nll
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 10)
        optimizer.step()
        return loss

    return torch.compile(step), (torch.rand(3, 2, 4),)
