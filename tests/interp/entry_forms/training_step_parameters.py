"""A compiled step that is handed model, optimizer and batch."""
import torch
from torch import nn


@torch.compile
def step(model, opt, batch):
    loss = model(batch["x"]).mean()
    loss.backward()  # break
    opt.step()  # break
    opt.zero_grad()  # break
    return loss


def fit(model, opt: torch.optim.Optimizer, batches):
    for batch in batches:
        print(step(model, opt, batch).item())


def run():
    model = nn.Linear(4, 2)
    fit(model, torch.optim.SGD(model.parameters(), lr=0.1), [{"x": torch.rand(2, 4)}])
