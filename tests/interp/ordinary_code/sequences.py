"""Sequence to sequence, early exit, caches."""
import random
from collections import OrderedDict, namedtuple
from enum import Enum
from functools import lru_cache, partial, wraps

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

Output = namedtuple("Output", "logits hidden")


class Pooling(Enum):
    MEAN = "mean"
    MAX = "max"
    LAST = "last"


class Encoder(nn.Module):
    def __init__(self, vocab, dim, pooling=Pooling.MEAN):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim, padding_idx=0)
        self.rnn = nn.GRU(dim, dim, batch_first=True, bidirectional=True)
        self.pooling = pooling

    def forward(self, tokens):
        lengths = (tokens != 0).sum(1)
        packed = pack_padded_sequence(self.emb(tokens), lengths.cpu(), batch_first=True, enforce_sorted=False)
        out, hidden = self.rnn(packed)
        out, _ = pad_packed_sequence(out, batch_first=True)
        if self.pooling is Pooling.MEAN:
            return out.sum(1) / lengths[:, None], hidden
        return out.max(1).values, hidden


class Decoder(nn.Module):
    def __init__(self, vocab, dim, max_len=5, teacher_forcing=0.5):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.cell = nn.GRUCell(dim, dim)
        self.out = nn.Linear(dim, vocab)
        self.max_len = max_len
        self.teacher_forcing = teacher_forcing

    def forward(self, hidden, target=None, sos=1, eos=2):
        token = torch.full((hidden.size(0),), sos, dtype=torch.long, device=hidden.device)
        logits = []
        finished = torch.zeros_like(token, dtype=torch.bool)
        for t in range(self.max_len):
            hidden = self.cell(self.emb(token), hidden)
            step = self.out(hidden)
            logits.append(step)
            if target is not None and self.training and random.random() < self.teacher_forcing:
                token = target[:, t]
            else:
                token = step.argmax(-1)
            finished |= token == eos
            if finished.all():
                break
        return Output(torch.stack(logits, 1), hidden)


def rotate_half(x):
    a, b = x.chunk(2, -1)
    return torch.cat([-b, a], -1)


class Rotary(nn.Module):
    def __init__(self, dim, base=10000):
        super().__init__()
        self.register_buffer("inv", 1.0 / base ** (torch.arange(0, dim, 2).float() / dim), persistent=False)
        self.seen = 0
        self.cos = self.sin = None

    def forward(self, x, offset=0):
        n = x.shape[-2] + offset
        if n > self.seen or self.cos.device != x.device:
            self.seen = n
            f = torch.outer(torch.arange(n, device=x.device).float(), self.inv)
            emb = torch.cat([f, f], -1)
            self.cos, self.sin = emb.cos(), emb.sin()
        return x * self.cos[offset:n] + rotate_half(x) * self.sin[offset:n]


class Cache:
    def __init__(self):
        self.k = self.v = None

    @property
    def length(self):
        return 0 if self.k is None else self.k.shape[-2]

    def update(self, k, v):
        self.k = k if self.k is None else torch.cat([self.k, k], -2)
        self.v = v if self.v is None else torch.cat([self.v, v], -2)
        return self.k, self.v


class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)
        self.rotary = Rotary(dim // heads)
        self.attn_maps = []
        self.keep_maps = False

    def forward(self, x, mask=None, cache=None):
        b, n, d = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        offset = cache.length if cache is not None else 0
        q, k = self.rotary(q, offset), self.rotary(k, offset)
        if cache is not None:
            k, v = cache.update(k, v)
        scores = q @ k.transpose(-1, -2) / (d // self.heads) ** 0.5
        if mask is not None:
            assert mask.dtype == torch.bool
            if mask.all():
                mask = None
            else:
                scores = scores.masked_fill(~mask, float("-inf"))
        attn = scores.softmax(-1)
        if self.keep_maps:
            self.attn_maps.append(attn.detach().cpu().numpy())
        return self.proj((attn @ v).transpose(1, 2).reshape(b, n, d))


class Router(nn.Module):
    def __init__(self, dim, experts, k=2, capacity=None):
        super().__init__()
        self.gate = nn.Linear(dim, experts, bias=False)
        self.experts = nn.ModuleList(nn.Linear(dim, dim) for _ in range(experts))
        self.k, self.capacity = k, capacity

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        weights, chosen = self.gate(flat).softmax(-1).topk(self.k)
        out = torch.zeros_like(flat)
        for i, expert in enumerate(self.experts):
            rows, slot = torch.where(chosen == i)
            if rows.numel() == 0:
                continue
            out[rows] += expert(flat[rows]) * weights[rows, slot, None]
        load = torch.bincount(chosen.flatten(), minlength=len(self.experts))
        return out.view_as(x), load.float().std() / load.float().mean()


class EarlyExit(nn.Module):
    def __init__(self, dim, heads=2, layers=3, threshold=0.9):
        super().__init__()
        self.blocks = nn.ModuleList([nn.ModuleDict({"attn": Attention(dim, heads), "moe": Router(dim, 3)}) for _ in range(layers)])
        self.cls = nn.ModuleList([nn.Linear(dim, 4) for _ in range(layers)])
        self.threshold = threshold
        self.exits = OrderedDict()

    def forward(self, x, mask=None, caches=None):
        aux = 0.0
        for i, block in enumerate(self.blocks):
            x = x + block["attn"](x, mask, None if caches is None else caches[i])
            y, balance = block["moe"](x)
            x, aux = x + y, aux + balance
            probs = self.cls[i](x.mean(1)).softmax(-1)
            if not self.training and probs.max(-1).values.min() > self.threshold:
                self.exits[i] = self.exits.get(i, 0) + 1
                break
        return probs, aux


def timed(fn):
    @wraps(fn)
    def inner(*args, **kwargs):
        import time
        start = time.perf_counter()
        result = fn(*args, **kwargs)
        inner.elapsed = time.perf_counter() - start
        return result
    return inner


@lru_cache(maxsize=None)
def positions(n, dim):
    pos = np.arange(n)[:, None] / np.power(10000, 2 * (np.arange(dim)[None] // 2) / dim)
    pos[:, 0::2] = np.sin(pos[:, 0::2])
    pos[:, 1::2] = np.cos(pos[:, 1::2])
    return torch.from_numpy(pos).float()


class Classifier(nn.Module):
    def __init__(self, vocab=20, dim=8):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        layer = nn.TransformerEncoderLayer(dim, 2, 16, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2)
        self.drop = partial(nn.functional.dropout, p=0.1)

    @timed
    def forward(self, tokens: Tensor, lengths: Tensor):
        x = self.emb(tokens) + positions(tokens.shape[1], 8)
        mask = torch.arange(tokens.shape[1])[None] >= lengths[:, None]
        x = self.encoder(x, src_key_padding_mask=mask)
        x = self.drop(x, training=self.training)
        return x[torch.arange(len(x)), lengths - 1]
