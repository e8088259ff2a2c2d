"""Heads, losses, samplers and caches, with their helpers."""

import copy
import logging
import math
import os
import time
import warnings
from collections import deque
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache, wraps
from typing import Dict, Optional

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

log = logging.getLogger(__name__)


class Pooling(str, Enum):
    MEAN = "mean"
    MAX = "max"
    LAST = "last"

    def apply(self, x, lengths):
        if self is Pooling.MEAN:
            mask = torch.arange(x.size(1), device=x.device)[None] < lengths[:, None]
            return (x * mask.unsqueeze(-1)).sum(1) / lengths.unsqueeze(-1)
        if self is Pooling.MAX:
            return x.max(dim=1).values
        return torch.stack([row[n - 1] for row, n in zip(x, lengths.tolist())])


def make_mask(lengths, maxlen=None):
    if maxlen is None:
        maxlen = lengths.max()
    return torch.arange(maxlen)[None] < lengths[:, None]


def count_parameters(module):
    return sum(p.numel() for p in module.parameters())


def to_np(t):
    return t.detach().cpu().numpy()


def weighted_mean(x, w=None):
    if w is None:
        return x.mean()
    total = w.sum()
    if total == 0:
        return x.sum() * 0
    return (x * w).sum() / total


def get_activation(name):
    table = {"relu": nn.ReLU, "gelu": nn.GELU, "silu": nn.SiLU}
    if name not in table:
        raise KeyError(f"unknown activation {name}")
    return table[name]()


REDUCTIONS = {}


def register(name):
    def wrap(fn):
        REDUCTIONS[name] = fn
        return fn

    return wrap


@register("hard")
def hard_negatives(loss, ratio=0.5):
    k = int(loss.numel() * ratio)
    values, _ = loss.flatten().topk(k)
    return values.mean()


@register("positive")
def positive_only(loss, ratio=0.5):
    return loss[loss > 0].mean()


class Meter:
    def __init__(self, size=10):
        self.values = deque(maxlen=size)

    def update(self, v):
        self.values.append(float(v))

    @property
    def avg(self):
        return sum(self.values) / max(len(self.values), 1)


@dataclass
class Output:
    logits: torch.Tensor
    loss: Optional[torch.Tensor] = None
    extras: Dict[str, torch.Tensor] = field(default_factory=dict)

    def confident(self, threshold=0.5):
        return self.logits[self.logits.sigmoid() > threshold]


def timed(fn):
    @wraps(fn)
    def inner(*args, **kwargs):
        start = time.time()
        out = fn(*args, **kwargs)
        log.debug("%s took %.3f", fn.__name__, time.time() - start)
        return out

    return inner


def ensure_batched(fn):
    @wraps(fn)
    def inner(self, x, *args, **kwargs):
        squeeze = x.dim() == 2
        if squeeze:
            x = x.unsqueeze(0)
        out = fn(self, x, *args, **kwargs)
        return out.squeeze(0) if squeeze else out

    return inner


class Encoder(nn.Module):
    def __init__(self, pooling="mean"):
        super().__init__()
        self.proj = nn.Linear(8, 8)
        self.pooling = Pooling(pooling)

    def forward(self, x, lengths):
        return self.pooling.apply(self.proj(x), lengths)


class Masked(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(8, 1)

    def forward(self, x, lengths):
        mask = make_mask(lengths)
        scores = self.proj(x).squeeze(-1)
        scores = scores.masked_fill(~mask[:, : x.size(1)], -1e9)
        return scores.softmax(-1)


class Classifier(nn.Module):
    def __init__(self, reduction="hard", act="gelu"):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 16), get_activation(act), nn.Linear(16, 1))
        self.reduce = REDUCTIONS[reduction]
        self.meter = Meter()

    def forward(self, x, y=None):
        logits = self.body(x).squeeze(-1)
        loss = None
        if y is not None:
            raw = F.binary_cross_entropy_with_logits(logits, y, reduction="none")
            loss = self.reduce(raw)
            self.meter.update(loss)
        return Output(logits, loss)


class Filtered(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(8, 4)

    def forward(self, x):
        out = Output(self.head(x))
        return out.confident(0.4)


class LSTMTagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(8, 6, batch_first=True, bidirectional=True)
        self.out = nn.Linear(12, 3)

    def forward(self, x, lengths):
        packed = pack_padded_sequence(x, lengths.cpu(), batch_first=True, enforce_sorted=False)
        h, _ = self.rnn(packed)
        h, _ = pad_packed_sequence(h, batch_first=True)
        return self.out(h)


class Timed(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(8, 8)

    @timed
    def step(self, x):
        return self.lin(x).relu()

    def forward(self, x):
        return self.step(x) + 1


class Batched(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(8, 8)

    @ensure_batched
    def forward(self, x, scale=1.0):
        return self.lin(x) * scale


class EMA(nn.Module):
    def __init__(self, decay=0.99):
        super().__init__()
        self.net = nn.Linear(8, 8)
        self.shadow = copy.deepcopy(self.net)
        self.decay = decay
        self.register_buffer("steps", torch.tensor(0))

    @torch.no_grad()
    def update(self):
        self.steps += 1
        d = min(self.decay, (1 + self.steps) / (10 + self.steps))
        for p, q in zip(self.net.parameters(), self.shadow.parameters()):
            q.mul_(d).add_(p, alpha=1 - d)

    def forward(self, x):
        if self.training:
            self.update()
        return self.net(x), self.shadow(x)


class Quantizer(nn.Module):
    def __init__(self, k=16):
        super().__init__()
        self.register_buffer("codes", torch.randn(k, 8))
        self.register_buffer("usage", torch.zeros(k))
        self.register_buffer("ready", torch.tensor(False))

    def init(self, x):
        if self.ready:
            return
        idx = torch.randperm(x.size(0))[: self.codes.size(0)]
        self.codes.data.copy_(x[idx])
        self.ready.fill_(True)

    def forward(self, x):
        flat = x.reshape(-1, 8)
        self.init(flat)
        idx = torch.cdist(flat, self.codes).argmin(-1)
        if self.training:
            self.usage.index_add_(0, idx, torch.ones_like(idx, dtype=torch.float))
            dead = self.usage < 1
            if dead.any():
                self.codes[dead] = flat[torch.randint(0, flat.size(0), (int(dead.sum()),))]
        return self.codes[idx].view_as(x)


class MoE(nn.Module):
    def __init__(self, n=4, top=2):
        super().__init__()
        self.gate = nn.Linear(8, n)
        self.experts = nn.ModuleList([nn.Linear(8, 8) for _ in range(n)])
        self.top = top

    def forward(self, x):
        flat = x.view(-1, x.size(-1))
        w, idx = self.gate(flat).softmax(-1).topk(self.top, dim=-1)
        out = torch.zeros_like(flat)
        for i, expert in enumerate(self.experts):
            rows, col = torch.where(idx == i)
            if rows.numel() == 0:
                continue
            out.index_add_(0, rows, expert(flat[rows]) * w[rows, col, None])
        return out.view_as(x)


class Beam(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(20, 8)
        self.cell = nn.GRUCell(8, 8)
        self.out = nn.Linear(8, 20)

    def forward(self, h, max_len=5):
        tok = torch.zeros(h.size(0), dtype=torch.long)
        done = torch.zeros(h.size(0), dtype=torch.bool)
        result = []
        for _ in range(max_len):
            h = self.cell(self.emb(tok), h)
            tok = self.out(h).argmax(-1)
            result.append(tok)
            done = done | (tok == 3)
            if done.all():
                break
        return torch.stack(result, 1)


class Warned(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(8, 8)

    def forward(self, x):
        if x.requires_grad is False and self.training:
            warnings.warn("no gradient")
        if not torch.isfinite(x).all():
            raise ValueError("bad input")
        return self.lin(x)


class Debug(nn.Module):
    verbose = False

    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(8, 8)
        self.debug = os.environ.get("DEBUG", "0") == "1"

    def forward(self, x):
        if self.debug:
            print(x.shape)
        if self.verbose:
            print("x", x.mean().item())
        y = self.lin(x)
        log.info("mean %s", y.mean())
        return y


class Numpyish(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(8, 8)

    def forward(self, x):
        y = self.lin(x)
        scores = to_np(y.mean(-1))
        order = np.argsort(-scores)[:2].copy()
        return y[torch.from_numpy(order)]


class Ragged(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(8, 8)

    def forward(self, x, lengths):
        parts = [self.lin(row[:n]) for row, n in zip(x, lengths)]
        return pad_sequence(parts, batch_first=True)


class Split(nn.Module):
    def forward(self, x, sizes):
        return [c.mean(0) for c in x.split(sizes.tolist())]


class Cached(nn.Module):
    def __init__(self):
        super().__init__()
        self.cache = {}

    def table(self, n):
        if n not in self.cache:
            self.cache[n] = torch.exp(torch.arange(n).float() * -0.1)
        return self.cache[n]

    def forward(self, x):
        return x * self.table(x.shape[-1])


@lru_cache(maxsize=None)
def window(n):
    return torch.hann_window(n)


class Windowed(nn.Module):
    def forward(self, x):
        w = window(8)
        return x * w


class Spectral(nn.Module):
    def forward(self, x):
        spec = torch.stft(x, 16, window=torch.hann_window(16), return_complex=True)
        mag = spec.abs()
        floor = mag.max() * 1e-3
        return torch.log(torch.clamp(mag, min=floor.item()))


class Weighted(nn.Module):
    def forward(self, x, w=None):
        return weighted_mean(x, w)


class Sized(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(8, 8)

    def forward(self, x):
        n = count_parameters(self)
        return self.lin(x) / math.sqrt(n)


class Seeded(nn.Module):
    def forward(self, x):
        torch.manual_seed(0)
        noise = torch.randn_like(x)
        return x + noise


class Dropped(nn.Module):
    def __init__(self, p=0.5):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(8, 8) for _ in range(3)])
        self.p = p

    def forward(self, x):
        for layer in self.layers:
            if self.training and torch.rand(1).item() < self.p:
                continue
            x = layer(x)
        return x


class NumpyDropped(nn.Module):
    def __init__(self, p=0.5):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(8, 8) for _ in range(3)])
        self.p = p

    def forward(self, x):
        for layer in self.layers:
            if self.training and np.random.uniform() < self.p:
                continue
            x = layer(x)
        return x


@contextmanager
def eval_mode(net):
    was = net.training
    net.eval()
    try:
        yield net
    finally:
        net.train(was)


class Teacher(nn.Module):
    def __init__(self):
        super().__init__()
        self.student = nn.Linear(8, 8)
        self.teacher = nn.Sequential(nn.Linear(8, 8), nn.Dropout())

    def forward(self, x):
        with eval_mode(self.teacher), torch.no_grad():
            target = self.teacher(x)
        return F.mse_loss(self.student(x), target)


class Crop(nn.Module):
    def __init__(self, size=4):
        super().__init__()
        self.size = size

    def forward(self, x):
        top = torch.randint(0, x.size(-2) - self.size + 1, (1,)).item()
        left = int(torch.randint(0, x.size(-1) - self.size + 1, ()))
        return x[..., top : top + self.size, left : left + self.size]


class Nms(nn.Module):
    def __init__(self, thr=0.5):
        super().__init__()
        self.thr = thr

    def iou(self, a, b):
        lt = torch.max(a[:2], b[:, :2])
        rb = torch.min(a[2:], b[:, 2:])
        wh = (rb - lt).clamp(min=0)
        inter = wh[:, 0] * wh[:, 1]
        area = lambda t: (t[..., 2] - t[..., 0]) * (t[..., 3] - t[..., 1])
        return inter / (area(a) + area(b) - inter + 1e-6)

    def forward(self, boxes, scores):
        order = scores.argsort(descending=True)
        keep = []
        while order.numel() > 0:
            i = order[0]
            keep.append(i)
            if order.numel() == 1:
                break
            ious = self.iou(boxes[i], boxes[order[1:]])
            order = order[1:][ious <= self.thr]
        return torch.stack(keep)


class Graph(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(8, 8)

    def forward(self, x, edges):
        src, dst = edges
        n = int(edges.max()) + 1
        out = x.new_zeros(n, 8)
        out.index_add_(0, dst, self.lin(x)[src])
        deg = torch.bincount(dst, minlength=n)
        return out / deg.clamp(min=1).unsqueeze(-1)


class Ohem(nn.Module):
    def forward(self, logits, target):
        loss = F.cross_entropy(logits, target, reduction="none")
        k = max(int((target > 0).sum()), 1)
        return loss.topk(k)[0].mean()


class Triplet(nn.Module):
    def forward(self, emb, labels):
        d = torch.cdist(emb, emb)
        same = labels[:, None] == labels[None]
        losses = []
        for i in range(emb.size(0)):
            pos = d[i][same[i]]
            neg = d[i][~same[i]]
            if len(neg) == 0:
                continue
            losses.append(F.relu(pos.max() - neg.min() + 0.2))
        if not losses:
            return emb.sum() * 0
        return torch.stack(losses).mean()


class Hooked(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 8))
        self.feats = {}
        self.body[1].register_forward_hook(self._save("relu"))

    def _save(self, name):
        def hook(module, args, out):
            self.feats[name] = out.detach()
            self.norm = out.norm().item()

        return hook

    def forward(self, x):
        return self.body(x) + self.feats["relu"]


class Scheduled(nn.Module):
    def __init__(self):
        super().__init__()
        self.step = 0
        self.lin = nn.Linear(8, 8)

    def forward(self, x):
        self.step += 1
        alpha = min(1.0, self.step / 100)
        return self.lin(x) * alpha


class Padded(nn.Module):
    def forward(self, x, lengths):
        longest = int(lengths.max())
        if x.size(1) < longest:
            x = F.pad(x, (0, 0, 0, longest - x.size(1)))
        return x[:, :longest]


class TopP(nn.Module):
    def __init__(self, p=0.9):
        super().__init__()
        self.p = p

    def forward(self, logits):
        s, i = logits.sort(descending=True)
        cum = s.softmax(-1).cumsum(-1)
        drop = cum > self.p
        drop[..., 1:] = drop[..., :-1].clone()
        drop[..., 0] = False
        logits = logits.masked_fill(drop.scatter(1, i, drop), float("-inf"))
        return torch.multinomial(logits.softmax(-1), 1)


class Rotary(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.inv = 1.0 / (10000 ** (torch.arange(0, dim, 2).float() / dim))
        self.cos = None
        self.len = 0

    def forward(self, x):
        n = x.size(1)
        if n > self.len:
            self.len = n
            t = torch.arange(n)
            f = torch.outer(t.float(), self.inv)
            self.cos = torch.cat([f, f], -1).cos()
        return x * self.cos[:n]


class Checked(nn.Module):
    def forward(self, x, y):
        assert x.shape == y.shape, f"{x.shape} != {y.shape}"
        assert (y >= 0).all(), "negative targets"
        assert not torch.isnan(x).any()
        return (x - y).abs().mean()


class Dispatch(nn.Module):
    def __init__(self, mode="b"):
        super().__init__()
        self.mode = mode

    def run_a(self, x):
        return x + 1

    def run_b(self, x):
        return x[x > 0]

    def forward(self, x):
        return getattr(self, "run_" + self.mode)(x)


class History(nn.Module):
    def __init__(self):
        super().__init__()
        self.losses = []
        self.lin = nn.Linear(8, 1)

    def forward(self, x):
        loss = self.lin(x).mean()
        self.losses.append(loss.item())
        if len(self.losses) > 3 and np.mean(self.losses[-3:]) < 0.1:
            loss = loss * 0.5
        return loss


class Routed(nn.Module):
    def __init__(self):
        super().__init__()
        self.small, self.large = nn.Linear(8, 8), nn.Linear(8, 8)

    def forward(self, x):
        score = x.abs().mean()
        net = self.small if score < 0.5 else self.large
        return net(x)


class Sparse(nn.Module):
    def forward(self, idx, val, x):
        a = torch.sparse_coo_tensor(idx, val, (4, 4))
        return torch.sparse.mm(a, x)


class Device(nn.Module):
    def forward(self, x):
        if torch.cuda.is_available():
            x = x.cuda()
        print("device", x.device)
        return x * 2


class Saver(nn.Module):
    def __init__(self, path=None):
        super().__init__()
        self.path = path
        self.lin = nn.Linear(8, 8)

    def forward(self, x):
        y = self.lin(x)
        if self.path is not None:
            torch.save(y, self.path)
        return y


class Uniq(nn.Module):
    def forward(self, labels, x):
        out = {}
        for c in labels.unique():
            out[c.item()] = x[labels == c].mean(0)
        return out


class Anchors(nn.Module):
    def __init__(self):
        super().__init__()
        self.sizes = [4, 8]

    def forward(self, feats):
        all_ = []
        for f, s in zip(feats, self.sizes):
            h, w = f.shape[-2:]
            ys, xs = np.meshgrid(np.arange(h) * s, np.arange(w) * s, indexing="ij")
            all_.append(torch.from_numpy(np.stack([xs, ys], -1)).float().reshape(-1, 2))
        return torch.cat(all_)


class AmpStep(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(8, 8)

    def forward(self, x, enabled=True):
        with torch.autocast("cpu", dtype=torch.bfloat16) if enabled else nullcontext():
            y = self.lin(x)
        if torch.isnan(y).any() or torch.isinf(y).any():
            y = torch.nan_to_num(y)
        return y.float()
