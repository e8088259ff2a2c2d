"""A compiled step of a trainer with gradient clipping and a scheduler."""
import torch
from torch import nn


class Trainer:
    def __init__(self, model, lr):
        self.model = model
        self.opt = torch.optim.AdamW(model.parameters(), lr=lr)
        self.sched = torch.optim.lr_scheduler.StepLR(self.opt, 10)
        self.fast = torch.compile(self.step)

    def step(self, x, y):
        self.opt.zero_grad(set_to_none=True)  # break
        loss = (self.model(x) - y).abs().mean()
        loss.backward()  # break
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()  # break
        self.sched.step()  # break
        return loss.detach()


def run():
    Trainer(nn.Linear(4, 2), 1e-3).fast(torch.rand(3, 4), torch.rand(3, 2))
