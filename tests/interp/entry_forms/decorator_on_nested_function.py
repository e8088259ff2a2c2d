"""A nested function below @torch.compile, called where it is made."""
import torch


def train(data):
    factor = 3.0

    @torch.compile
    def step(x):
        y = x * factor
        print("largest", y.max())  # break
        return y.mean()

    def log(x):
        print("largest", x.max())

    for batch in data:
        log(step(batch))


def run():
    train([torch.rand(4), torch.rand(4)])
