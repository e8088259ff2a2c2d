"""A step that the engine of another module compiles."""
import torch
from engine import Engine


class Task(Engine):
    def step(self, x):
        loss = self.model(x).pow(2).mean()
        if torch.isnan(loss):  # break
            loss = torch.zeros(())
        return loss


def run():
    Task(torch.nn.Linear(4, 2)).fit([torch.rand(2, 4)])
