"""The same function compiled with two settings."""
import torch


def step(x, train):
    y = x.tanh()
    if train:
        print("y", y.mean())  # break
    return y


train_step = torch.compile(lambda x: step(x, True))
eval_step = torch.compile(lambda x: step(x, False), dynamic=True)


def run():
    eval_step(train_step(torch.rand(4)))
