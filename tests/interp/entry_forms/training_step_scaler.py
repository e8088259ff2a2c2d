"""A compiled step with autocast and a GradScaler."""
import torch
from torch import nn

model = nn.Linear(4, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu", enabled=False)


def step(x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = model(x).float().mean()
    scaler.scale(loss).backward()  # break
    scaler.step(opt)  # break
    scaler.update()  # break
    return loss


fast = torch.compile(step)


def run():
    fast(torch.rand(2, 4))
