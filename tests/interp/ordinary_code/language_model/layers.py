from __future__ import annotations

import logging
import math
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from .cache import Cache, DynamicCache
from .config import LMConfig

logger = logging.getLogger(__name__)


class RMSNorm(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.weight, self.eps = nn.Parameter(torch.ones(dim)), eps

    def forward(self, x):
        dtype = x.dtype
        x = x.float()
        return (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)).to(dtype) * self.weight

    def extra_repr(self):
        return f"{tuple(self.weight.shape)}, eps={self.eps}"


class Rotary(nn.Module):
    def __init__(self, cfg: LMConfig):
        super().__init__()
        inv = 1.0 / cfg.rope.theta ** (torch.arange(0, cfg.head_dim, 2).float() / cfg.head_dim)
        self.register_buffer("inv", inv, persistent=False)
        self.max_seen = 0
        self.cos = self.sin = None

    def build(self, n):
        self.max_seen = n
        angle = torch.outer(torch.arange(n).float(), self.inv)
        self.cos, self.sin = angle.cos(), angle.sin()

    def forward(self, x, positions):
        n = int(positions.max()) + 1
        if n > self.max_seen:
            self.build(n)
        cos, sin = self.cos[positions], self.sin[positions]
        a, b = x[..., ::2], x[..., 1::2]
        return torch.stack([a * cos - b * sin, a * sin + b * cos], -1).flatten(-2)


class DynamicRotary(Rotary):
    def forward(self, x, positions):
        freqs = positions[:, None].float() * self.inv
        rot = torch.polar(torch.ones_like(freqs), freqs)
        z = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
        return torch.view_as_real(z * rot).flatten(-2).type_as(x)


def repeat_kv(x: Tensor, n: int) -> Tensor:
    if n == 1:
        return x
    b, h, t, d = x.shape
    return x[:, :, None].expand(b, h, n, t, d).reshape(b, h * n, t, d)


class Attention(nn.Module):
    def __init__(self, cfg: LMConfig, index: int, rotary=DynamicRotary):
        super().__init__()
        self.cfg, self.index = cfg, index
        d = cfg.head_dim
        self.q = nn.Linear(cfg.dim, cfg.heads * d, bias=False)
        self.k = nn.Linear(cfg.dim, cfg.kv_heads * d, bias=False)
        self.v = nn.Linear(cfg.dim, cfg.kv_heads * d, bias=False)
        self.o = nn.Linear(cfg.heads * d, cfg.dim, bias=False)
        self.rope = rotary(cfg)
        self.entropy = None

    def split(self, x, heads):
        return x.view(*x.shape[:2], heads, -1).transpose(1, 2)

    def forward(self, x, positions, mask=None, cache: Cache | None = None, output_attentions=False):
        c = self.cfg
        q, k, v = self.split(self.q(x), c.heads), self.split(self.k(x), c.kv_heads), self.split(self.v(x), c.kv_heads)
        q, k = self.rope(q, positions), self.rope(k, positions)
        if cache is not None:
            k, v = cache.update(self.index, k, v)
        k, v = (repeat_kv(t, c.heads // c.kv_heads) for t in (k, v))
        weights = None
        if output_attentions:
            scores = q @ k.transpose(-1, -2) / math.sqrt(c.head_dim)
            weights = (scores if mask is None else scores + mask).softmax(-1)
            self.entropy = -(weights * weights.clamp(min=1e-9).log()).sum(-1).mean().item()
            out = weights @ v
        else:
            out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=mask is None and q.shape[2] > 1)
        return self.o(out.transpose(1, 2).flatten(2)), weights


class SwiGLU(nn.Module):
    def __init__(self, dim, mult=2):
        super().__init__()
        self.w1, self.w2, self.w3 = nn.Linear(dim, mult * dim), nn.Linear(dim, mult * dim), nn.Linear(mult * dim, dim)

    def forward(self, x):
        return self.w3(F.silu(self.w1(x)) * self.w2(x))


class MoE(nn.Module):
    def __init__(self, cfg: LMConfig):
        super().__init__()
        self.gate = nn.Linear(cfg.dim, cfg.experts, bias=False)
        self.experts = nn.ModuleList([SwiGLU(cfg.dim) for _ in range(cfg.experts)])
        self.k = cfg.top_k
        self.register_buffer("load", torch.zeros(cfg.experts))
        self.aux = torch.tensor(0.0)

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        probs = self.gate(flat).softmax(-1)
        w, idx = probs.topk(self.k, -1)
        w = w / w.sum(-1, keepdim=True)
        out = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            rows, slot = torch.where(idx == e)
            if rows.numel() == 0:
                continue
            out.index_add_(0, rows, expert(flat[rows]) * w[rows, slot, None])
        count = torch.bincount(idx.flatten(), minlength=len(self.experts)).float()
        self.load.mul_(0.9).add_(count, alpha=0.1)
        self.aux = (probs.mean(0) * count / count.sum()).sum() * len(self.experts)
        return out.view_as(x)


class DenseMoE(MoE):
    def forward(self, x):
        probs = self.gate(x).softmax(-1)
        w, idx = probs.topk(self.k, -1)
        mask = F.one_hot(idx, len(self.experts)).to(w.dtype)
        w = (mask * w.unsqueeze(-1)).sum(-2)
        return sum(w[..., i : i + 1] * expert(x) for i, expert in enumerate(self.experts))


class Block(nn.Module):
    def __init__(self, cfg: LMConfig, index: int, moe=MoE, **kw):
        super().__init__()
        self.n1, self.n2 = RMSNorm(cfg.dim), RMSNorm(cfg.dim)
        self.attn = Attention(cfg, index, **kw)
        self.mlp = moe(cfg) if cfg.experts > 0 else SwiGLU(cfg.dim)

    def forward(self, x, positions, mask=None, cache=None, output_attentions=False):
        y, w = self.attn(self.n1(x), positions, mask, cache, output_attentions)
        x = x + y
        return x + self.mlp(self.n2(x)), w


class Transformer(nn.Module):
    def __init__(self, cfg: LMConfig | None = None, remat=False, **kw):
        super().__init__()
        self.cfg = cfg = cfg or LMConfig()
        self.emb = nn.Embedding(cfg.vocab, cfg.dim)
        self.blocks = nn.ModuleList(Block(cfg, i, **kw) for i in range(cfg.layers))
        self.norm = RMSNorm(cfg.dim)
        self.head = nn.Linear(cfg.dim, cfg.vocab, bias=False)
        if cfg.tie:
            self.head.weight = self.emb.weight
        self.remat = remat
        self.apply(partial(self.init, std=0.02))

    @staticmethod
    def init(m, std):
        if isinstance(m, (nn.Linear, nn.Embedding)):
            nn.init.normal_(m.weight, std=std)

    def mask(self, ids, past, pad=None):
        t = ids.shape[1]
        full = torch.full((t, past + t), float("-inf")).triu(past + 1)
        if self.cfg.window is not None:
            full = full + torch.full((t, past + t), float("-inf")).tril(past - self.cfg.window)
        if pad is not None:
            full = full[None, None] + torch.where(pad[:, None, None, :].bool(), 0.0, -1e9)
        return full

    def forward(self, ids, labels=None, attention_mask=None, cache=None, use_cache=False, output_attentions=False):
        if use_cache and self.training and self.remat:
            logger.warning_once("caching is off while activations are computed again") if hasattr(
                logger, "warning_once"
            ) else logger.warning("caching is off while activations are computed again")
            use_cache = False
        if use_cache and cache is None:
            cache = DynamicCache()
        past = cache.length() if cache is not None else 0
        positions = torch.arange(past, past + ids.shape[1])
        if ids.max() >= self.cfg.vocab:
            raise IndexError("token out of the vocabulary")
        x = self.emb(ids)
        mask = self.mask(ids, past, attention_mask)
        maps = []
        for block in self.blocks:
            if self.remat and self.training:
                x, w = checkpoint(block, x, positions, mask, use_reentrant=False)
            else:
                x, w = block(x, positions, mask, cache, output_attentions)
            maps.append(w)
        logits = self.head(self.norm(x))
        if labels is None:
            return (logits, cache) if use_cache else logits
        shift, target = logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten()
        loss = F.cross_entropy(shift, target, ignore_index=-100)
        return loss, maps
