import logging

import torch
from torch import nn

logger = logging.getLogger(__name__)


class Scale(nn.Module):
    def forward(self, x):
        peak = x.abs().max().item()
        return x / (peak + 1e-6)


class Router(nn.Module):
    def __init__(self, dim, experts):
        super().__init__()
        self.gate = nn.Linear(dim, experts)
        self.experts = nn.ModuleList(nn.Linear(dim, dim) for _ in range(experts))

    def forward(self, x):
        choice = self.gate(x).argmax(-1)
        out = torch.zeros_like(x)
        for index, expert in enumerate(self.experts):
            rows = torch.nonzero(choice == index)
            if rows.numel() > 0:
                out[rows[:, 0]] = expert(x[rows[:, 0]])
        return out


class Pool(nn.Module):
    def forward(self, x, lengths):
        longest = int(lengths.max())
        logger.info("longest %s", longest)
        mask = torch.arange(longest)[None] < lengths[:, None]
        x = x[:, :longest]
        return (x * mask[..., None]).sum(1) / lengths[:, None]
