"""A compiled training step: forward, backward, optimizer."""
import torch
from torch import nn
from torch.nn import functional as F

model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


@torch.compile
def train_step(x, y):
    optimizer.zero_grad()  # break
    loss = F.mse_loss(model(x), y)
    loss.backward()  # break
    optimizer.step()  # break
    return loss


def epoch(batches):
    total = 0.0
    for x, y in batches:
        total += train_step(x, y).item()
    return total


def run():
    epoch([(torch.rand(3, 4), torch.rand(3, 2))])
