"""Only the loss is compiled; backward and the optimizer are outside."""
import torch
from torch import nn


@torch.compile
def loss_of(model, x):
    loss = model(x).pow(2).mean()
    if loss.isnan():  # break
        loss = torch.zeros(())
    return loss


def train(model, opt, data):
    for x in data:
        loss = loss_of(model, x)
        loss.backward()
        opt.step()
        opt.zero_grad()
        print("loss", loss.item())


def run():
    model = nn.Linear(4, 2)
    train(model, torch.optim.SGD(model.parameters(), lr=0.1), [torch.rand(2, 4)])
