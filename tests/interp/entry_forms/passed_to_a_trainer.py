"""A compiled step is handed to a function that calls it."""
import torch


def step(x):
    loss = x.pow(2).mean()
    print("loss", loss)  # break
    return loss


def validate(x):
    loss = x.pow(2).mean()
    print("loss", loss)
    return loss


def loop(fn, data):
    return [fn(x) for x in data]


def run():
    data = [torch.rand(4)]
    loop(torch.compile(step), data)
    loop(validate, data)
