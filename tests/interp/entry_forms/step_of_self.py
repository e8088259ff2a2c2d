"""self.fast = torch.compile(self.step)."""
import torch
from torch import nn


class Trainer:
    def __init__(self, model):
        self.model = model
        self.fast = torch.compile(self.step)

    def step(self, x):
        loss = self.model(x).sum()
        if loss > 10:  # break
            print("big", loss.item())  # break
        return loss

    def slow(self, x):
        loss = self.model(x).sum()
        if loss > 10:
            print("big", loss.item())
        return loss

    def fit(self, data):
        for x in data:
            self.fast(x)
            self.slow(x)


def run():
    model = nn.Linear(4, 4)
    with torch.no_grad():
        model.weight.fill_(1.0)
    Trainer(model).fit([torch.ones(4, 4)])
