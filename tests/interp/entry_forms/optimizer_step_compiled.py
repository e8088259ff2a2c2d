"""torch.compile of the optimizer's step alone."""
import torch
from torch import nn

model = nn.Linear(4, 2)
opt = torch.optim.Adam(model.parameters(), lr=0.1)


@torch.compile(fullgraph=False)
def update():
    opt.step()  # break


def run():
    model(torch.rand(2, 4)).sum().backward()
    update()
