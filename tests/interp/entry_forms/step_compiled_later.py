"""A method is compiled in another method than the constructor."""
import torch


class Runner:
    def __init__(self, model):
        self.model = model

    def loss(self, x):
        out = self.model(x)
        print("loss", out.mean())  # break
        return out.mean()

    def train(self, data):
        loss = torch.compile(self.loss)
        return [loss(x) for x in data]


def run():
    Runner(torch.nn.Linear(4, 2)).train([torch.rand(2, 4)])
