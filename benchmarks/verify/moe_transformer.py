"""A small language model with a mixture of experts, as a team might write it: several breaks, some of which have a fix.

`breaklint verify benchmarks/verify/moe_transformer.py::LanguageModel` is measured with it: 17 graphs, of which most
come from the loop over the experts in each layer.
"""

from __future__ import annotations

import logging
import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn

logger = logging.getLogger(__name__)


@dataclass
class Config:
    vocabulary: int = 512
    width: int = 128
    heads: int = 4
    layers: int = 4
    experts: int = 4
    chosen: int = 2
    context: int = 64
    capacity: float = 1.5
    dropout: float = 0.0
    log_balance: bool = False


class RMSNorm(nn.Module):
    def __init__(self, width: int, eps: float = 1e-6) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.eps = eps

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        scale = torch.rsqrt(x.float().pow(2).mean(-1, keepdim=True) + self.eps)
        return (x.float() * scale).type_as(x) * self.weight


class RotaryEmbedding(nn.Module):
    """Rotates queries and keys by their positions; the tables grow with the longest sequence."""

    def __init__(self, width: int, context: int, base: float = 10000.0) -> None:
        super().__init__()
        frequencies = base ** (-torch.arange(0, width, 2).float() / width)
        angles = torch.outer(torch.arange(context).float(), frequencies)
        self.register_buffer("cos", angles.cos(), persistent=False)
        self.register_buffer("sin", angles.sin(), persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        length = x.shape[-2]
        cos, sin = self.cos[:length], self.sin[:length]
        even, odd = x[..., 0::2], x[..., 1::2]
        return torch.stack([even * cos - odd * sin, even * sin + odd * cos], -1).flatten(-2)


class Attention(nn.Module):
    def __init__(self, config: Config) -> None:
        super().__init__()
        self.heads, self.head_width = config.heads, config.width // config.heads
        self.qkv = nn.Linear(config.width, 3 * config.width, bias=False)
        self.out = nn.Linear(config.width, config.width, bias=False)
        self.rotary = RotaryEmbedding(self.head_width, config.context)
        self.dropout = config.dropout

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        batch, length, width = x.shape
        q, k, v = self.qkv(x).view(batch, length, 3, self.heads, self.head_width).permute(2, 0, 3, 1, 4)
        q, k = self.rotary(q), self.rotary(k)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_width)
        causal = torch.ones(length, length, dtype=torch.bool, device=x.device).tril()
        scores = scores.masked_fill(~causal, float("-inf"))
        if mask is not None:
            logger.info("padding of a batch of %d is masked", batch)
            scores = scores.masked_fill(~mask[:, None, None, :], torch.finfo(scores.dtype).min)
        weights = F.dropout(scores.softmax(-1), self.dropout, self.training)
        return self.out((weights @ v).transpose(1, 2).reshape(batch, length, width))


class Expert(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.up = nn.Linear(width, 2 * width)
        self.gate = nn.Linear(width, 2 * width)
        self.down = nn.Linear(2 * width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.down(F.silu(self.gate(x)) * self.up(x))


class Router(nn.Module):
    """Chooses experts for each token, and says how evenly they are used."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.experts, self.chosen, self.log_balance = config.experts, config.chosen, config.log_balance
        self.weight = nn.Linear(config.width, config.experts, bias=False)
        self.temperature = nn.Parameter(torch.ones(()))

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        logits = self.weight(x) / self.temperature
        if self.training:
            logits = logits + torch.randn_like(logits) * 0.01
        probabilities = logits.softmax(-1)
        weights, indices = probabilities.topk(self.chosen, dim=-1)
        weights = weights / weights.sum(-1, keepdim=True)
        used = F.one_hot(indices, self.experts).float().sum(-2).mean(0)
        balance = self.experts * (used * probabilities.mean(0)).sum()
        if self.log_balance:
            print("balance of the experts:", balance)
        return weights, indices, balance


class MixtureOfExperts(nn.Module):
    def __init__(self, config: Config) -> None:
        super().__init__()
        self.router = Router(config)
        self.experts = nn.ModuleList(Expert(config.width) for _ in range(config.experts))

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        tokens = x.reshape(-1, x.shape[-1])
        weights, indices, balance = self.router(tokens)
        result = torch.zeros_like(tokens)
        for number, expert in enumerate(self.experts):
            token, slot = torch.where(indices == number)
            if token.numel() == 0:
                continue
            result.index_add_(0, token, weights[token, slot, None] * expert(tokens[token]))
        return result.view_as(x), balance


class Block(nn.Module):
    def __init__(self, config: Config) -> None:
        super().__init__()
        self.attention_norm, self.experts_norm = RMSNorm(config.width), RMSNorm(config.width)
        self.attention = Attention(config)
        self.experts = MixtureOfExperts(config)

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> tuple[torch.Tensor, torch.Tensor]:
        x = x + self.attention(self.attention_norm(x), mask)
        mixed, balance = self.experts(self.experts_norm(x))
        return x + mixed, balance


class LanguageModel(nn.Module):
    def __init__(self, config: Config | None = None) -> None:
        super().__init__()
        self.config = config = config or Config()
        self.tokens = nn.Embedding(config.vocabulary, config.width)
        self.blocks = nn.ModuleList(Block(config) for _ in range(config.layers))
        self.norm = RMSNorm(config.width)
        self.head = nn.Linear(config.width, config.vocabulary, bias=False)
        self.apply(self._initialise)

    @staticmethod
    def _initialise(module: nn.Module) -> None:
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.normal_(module.weight, std=0.05)

    def forward(self, ids: torch.Tensor, targets: torch.Tensor | None = None) -> tuple[torch.Tensor, torch.Tensor]:
        if ids.max() >= self.config.vocabulary:
            raise ValueError("a token is not in the vocabulary")
        x = self.tokens(ids)
        balance = x.new_zeros(())
        for block in self.blocks:
            x, of_block = block(x)
            balance = balance + of_block
        logits = self.head(self.norm(x))
        if targets is None:
            return logits, balance
        print("tokens of the loss:", targets.numel())
        loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten())
        return logits, loss + 0.01 * balance


def get_init_inputs() -> list[object]:
    return []


def get_inputs() -> list[object]:
    generator = torch.Generator().manual_seed(0)
    return [torch.randint(0, 512, (8, 64), generator=generator)]
