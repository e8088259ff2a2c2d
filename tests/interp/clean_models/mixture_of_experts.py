"""A mixture of experts whose every expert sees every token: static shapes, with a load-balancing loss."""

from typing import NamedTuple

import torch
from torch import nn
from torch.nn import functional as F


class Routing(NamedTuple):
    weights: torch.Tensor
    indices: torch.Tensor
    probabilities: torch.Tensor


class Expert(nn.Module):
    def __init__(self, dim, hidden):
        super().__init__()
        self.w1, self.w2, self.w3 = (nn.Linear(*size, bias=False) for size in ((dim, hidden), (hidden, dim), (dim, hidden)))

    def forward(self, x):
        return self.w2(F.silu(self.w1(x)) * self.w3(x))


class Router(nn.Module):
    def __init__(self, dim, num_experts, top_k, jitter=0.01):
        super().__init__()
        self.gate = nn.Linear(dim, num_experts, bias=False)
        self.top_k = min(top_k, num_experts)
        self.jitter = jitter
        self.register_buffer("usage", torch.zeros(num_experts))

    def forward(self, tokens) -> Routing:
        if self.training and self.jitter > 0:
            tokens = tokens * torch.empty_like(tokens).uniform_(1.0 - self.jitter, 1.0 + self.jitter)
        probabilities = F.softmax(self.gate(tokens), dim=-1, dtype=torch.float32)
        weights, indices = torch.topk(probabilities, self.top_k, dim=-1)
        weights = weights / weights.sum(dim=-1, keepdim=True)
        if self.training:
            with torch.no_grad():
                self.usage.mul_(0.99).add_(probabilities.mean(0), alpha=0.01)
        return Routing(weights.to(tokens.dtype), indices, probabilities)


class Net(nn.Module):
    def __init__(self, dim=16, hidden=32, num_experts=4, top_k=2, aux_weight=0.01):
        super().__init__()
        self.experts = nn.ModuleList([Expert(dim, hidden) for _ in range(num_experts)])
        self.router = Router(dim, num_experts, top_k)
        self.num_experts = num_experts
        self.aux_weight = aux_weight

    def load_balancing(self, routing):
        mask = F.one_hot(routing.indices, num_classes=self.num_experts).float()
        tokens_per_expert = mask.mean(dim=(0, 1))
        return self.num_experts * (tokens_per_expert * routing.probabilities.mean(0)).sum()

    def forward(self, hidden_states):
        batch, length, dim = hidden_states.shape
        tokens = hidden_states.view(-1, dim)
        routing = self.router(tokens)
        combine = torch.zeros(tokens.shape[0], self.num_experts, dtype=tokens.dtype, device=tokens.device)
        combine.scatter_(1, routing.indices, routing.weights)
        out = torch.zeros_like(tokens)
        for i, expert in enumerate(self.experts):
            out = out + combine[:, i, None] * expert(tokens)
        out = out.reshape(batch, length, dim)
        aux = self.load_balancing(routing) * self.aux_weight if self.aux_weight else None
        if aux is None:
            return out
        return out, aux


def get_inputs():
    return [torch.randn(2, 6, 16)]
