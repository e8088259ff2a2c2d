import collections
import copy
import functools
import itertools
import json
import math
import operator
import pickle
import random
import re
import string
import sys
import threading
import time
import types
import uuid
import weakref
from typing import NamedTuple

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

COUNTER = 0
STATS = {}


class Out(NamedTuple):
    x: torch.Tensor
    n: int


class M1(nn.Module):
    def forward(self, x):
        scale = math.sqrt(x.shape[-1])
        y = x / scale
        best = max([y.mean(), y.sum()])
        total = sum([y.min(), y.max()])
        order = sorted([y[0, 0], y[0, 1]])
        return best + total + order[0]


class M2(nn.Module):
    def forward(self, x):
        norm = math.sqrt(x.sum())
        s = f"{x.shape} {x.dtype}"
        key = (x.shape[0], s)
        STATS[key] = STATS.get(key, 0) + 1
        return x / norm


class M3(nn.Module):
    def forward(self, x):
        global COUNTER
        COUNTER += 1
        if COUNTER % 10 == 0:
            x = x + 1
        tag = uuid.uuid4()
        return x * 2


class M4(nn.Module):
    def __init__(self):
        super().__init__()
        self.lock = threading.Lock()
        self.layers = nn.ModuleDict({"a": nn.Linear(4, 4), "b": nn.Linear(4, 4)})

    def forward(self, x):
        with self.lock:
            x = self.layers["a"](x)
        for name, layer in sorted(self.layers.items()):
            x = layer(x)
        return x


class M5(nn.Module):
    def forward(self, x):
        rng = np.random.default_rng(0)
        idx = rng.integers(0, 3)
        y = x.detach().numpy()
        z = torch.from_numpy(np.sort(y, axis=-1))
        w = np.mean([1, 2, 3])
        return z * w + x


class M6(nn.Module):
    def forward(self, x):
        def gen():
            for row in x:
                yield row * 2
        rows = list(gen())
        pairs = list(itertools.combinations(range(3), 2))
        acc = functools.reduce(operator.add, rows)
        return acc + len(pairs)


class M7(nn.Module):
    def __init__(self):
        super().__init__()
        self.cache = weakref.WeakKeyDictionary()
        self.calls = itertools.count()
        self.modes = ["a", "b"]

    def forward(self, x, mode="a"):
        n = next(self.calls)
        if mode not in self.modes:
            raise ValueError(f"unknown mode {mode}")
        fn = getattr(self, f"_run_{mode}")
        return fn(x)

    def _run_a(self, x):
        return x.relu()

    def _run_b(self, x):
        return x.tanh()


class M8(nn.Module):
    def forward(self, x):
        try:
            y = torch.linalg.inv(x @ x.t())
        except RuntimeError:
            y = torch.zeros(x.shape[0], x.shape[0])
        y2 = copy.copy(y)
        y3 = copy.deepcopy(x)
        return y2.sum() + y3.sum()


class M9(nn.Module):
    def forward(self, x):
        out = Out(x * 2, x.shape[0])
        a, n = out
        d = collections.Counter("abca")
        m = re.sub(r"\d+", "", "a1b2")
        t = types.SimpleNamespace(v=a)
        words = string.ascii_letters[:n]
        return t.v + len(m) + d["a"] + len(words)


class M10(nn.Module):
    def forward(self, x):
        picks = random.sample(range(x.shape[0]), 2)
        y = x[picks]
        random.shuffle(picks)
        if random.random() < 0.5:
            y = y + 1
        return y


class M11(nn.Module):
    def forward(self, x):
        blob = pickle.dumps({"a": 1})
        text = json.dumps({"n": x.shape[0]})
        print(text, file=sys.stderr)
        return x + len(text)


class M12(nn.Module):
    def forward(self, x):
        u, inv, counts = torch.unique(x.round(), return_inverse=True, return_counts=True)
        hist = torch.histc(x, bins=4)
        q = torch.quantile(x, 0.5)
        top = torch.topk(x.flatten(), k=3).values
        big = x[x > q]
        return top.sum() + hist.sum() + inv.sum()


class M13(nn.Module):
    def forward(self, x):
        lengths = [int(n) for n in (x > 0.5).sum(1)]
        parts = torch.split(x.flatten()[: sum(lengths)], lengths)
        return torch.stack([p.sum() for p in parts])


class M14(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("step", torch.tensor(0))
        self.losses = []

    def forward(self, x):
        self.step += 1
        lr = 0.1 * (0.9 ** self.step)
        if self.step > 10:
            lr = lr / 2
        loss = (x * lr).mean()
        self.losses.append(loss.detach())
        if len(self.losses) > 3:
            self.losses.pop(0)
        return loss


class M15(nn.Module):
    def forward(self, x, lengths=None):
        mask = None
        if lengths is not None:
            longest = lengths.max().item()
            mask = torch.arange(longest) < lengths[:, None]
            x = x[:, :longest]
        h = x.cumsum(-1)
        if mask is not None:
            h = h.masked_fill(~mask, 0.0)
        return h


class M16(nn.Module):
    def forward(self, boxes, scores):
        keep = torch.ones_like(scores, dtype=torch.bool)
        idx = scores.argsort(descending=True)
        for k in range(len(idx)):
            i = idx[k]
            if keep[i]:
                d = (boxes - boxes[i]).abs().sum(-1)
                keep &= d > 0.1
                keep[i] = True
        return keep.nonzero().flatten()


class M17(nn.Module):
    def forward(self, x):
        start = time.time()
        y = torch.fft.rfft(x)
        z = torch.view_as_real(y)
        spent = time.time() - start
        return z, spent


class M18(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 4)
        self.reset()

    def reset(self):
        nn.init.orthogonal_(self.lin.weight)

    def forward(self, x):
        with torch.no_grad():
            w = self.lin.weight
            w.div_(w.norm(dim=1, keepdim=True))
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y = self.lin(x)
        return y.float()


class M19(nn.Module):
    def forward(self, x):
        x = x.clone().requires_grad_(True)
        y = (x ** 2).sum()
        g, = torch.autograd.grad(y, x)
        return g


class M20(nn.Module):
    def forward(self, tokens):
        table = {1: "a", 2: "b"}
        words = [table.get(t, "?") for t in tokens.tolist()]
        ids = [ord(w) for w in words]
        return torch.tensor(ids) + tokens


class M21(nn.Module):
    def forward(self, x):
        if type(x) is not torch.Tensor:
            x = torch.as_tensor(x)
        if x.dtype == torch.float64:
            x = x.float()
        if x.device.type == "cuda":
            x = x.cpu()
        if hasattr(x, "names") and x.ndim > 3:
            x = x.flatten(1)
        if x.requires_grad and x.is_leaf:
            x = x * 1
        if not x.is_contiguous():
            x = x.contiguous()
        if bool((x < 0).any()):
            x = x.abs()
        return x


class M22(nn.Module):
    def forward(self, x):
        vals, idx = x.max(dim=-1)
        best = idx[0]
        row = x[best % x.shape[0]]
        n = torch.numel(x)
        m = len(x)
        o = torch.zeros(m, n // m)
        o[range(m), 0] = 1.0
        o[torch.arange(m), idx % (n // m)] += 1
        return o + row


class M23(nn.Module):
    def forward(self, x):
        s = set()
        for v in x.flatten()[:2]:
            s.add(float(v))
        return x * len(s)


class M24(nn.Module):
    def forward(self, q, k):
        sim = q @ k.t()
        match = sim.argmax(1)
        groups = {}
        for i, j in enumerate(match):
            groups.setdefault(j.item(), []).append(q[i])
        return torch.stack([torch.stack(g).mean(0) for g in groups.values()])
