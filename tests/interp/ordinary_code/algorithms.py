"""Algorithms: decoding, clustering, sampling, filters, and what Python code does with tensors."""

import functools
import inspect
import itertools
import json
import math
import operator
import sys
import threading
import typing as t
from abc import ABC, abstractmethod
from collections import Counter, OrderedDict

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F


class Config(dict):
    __getattr__ = dict.get


class Block(ABC, nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = nn.LayerNorm(dim)

    def forward(self, x, *args):
        return x + self.mix(self.norm(x), *args)

    @abstractmethod
    def mix(self, x, *args): ...


class TopKBlock(Block):
    def __init__(self, dim, k=2):
        super().__init__(dim)
        self.k = k
        self.lin = nn.Linear(dim, dim)

    def mix(self, x, *args):
        score = x.norm(dim=-1)
        keep = score >= score.topk(self.k).values.min(-1, keepdim=True).values
        out = torch.zeros_like(x)
        out[keep] = self.lin(x[keep])
        return out


class GatedBlock(Block):
    def __init__(self, dim):
        super().__init__(dim)
        self.gate = nn.Parameter(torch.zeros(1))

    def mix(self, x, *args):
        if self.gate.item() == 0:
            return x
        return torch.tanh(self.gate) * x


class Stack(nn.Module):
    def __init__(self, kinds=("topk", "gated")):
        super().__init__()
        makers = {"topk": TopKBlock, "gated": GatedBlock}
        self.blocks = nn.ModuleList(makers[k](8) for k in kinds)

    def forward(self, x):
        return functools.reduce(lambda h, b: b(h), self.blocks, x)


class Conf(nn.Module):
    def __init__(self, cfg=None):
        super().__init__()
        self.cfg = Config(cfg or {"noise": 0.1, "log": True})
        self.lin = nn.Linear(8, 8)

    def forward(self, x):
        if self.cfg.log:
            print("shape", tuple(x.shape))
        if self.cfg.noise:
            x = x + torch.randn_like(x) * self.cfg.noise
        return self.lin(x)


class Pyramid(nn.Module):
    def __init__(self):
        super().__init__()
        self.convs = nn.ModuleDict({f"p{i}": nn.Conv2d(3, 4, 3, padding=1) for i in range(3)})

    def forward(self, x):
        outs = OrderedDict()
        for name, conv in self.convs.items():
            x_ = conv(x)
            outs[name] = x_
            if x_.abs().max() > 1e4:
                break
            x = F.max_pool2d(x, 2)
        return outs


class Points(nn.Module):
    def farthest(self, xyz, n):
        idx = torch.zeros(xyz.size(0), n, dtype=torch.long)
        dist = torch.full(xyz.shape[:2], 1e10)
        far = torch.randint(0, xyz.size(1), (xyz.size(0),))
        rows = torch.arange(xyz.size(0))
        for i in range(n):
            idx[:, i] = far
            c = xyz[rows, far].unsqueeze(1)
            d = ((xyz - c) ** 2).sum(-1)
            closer = d < dist
            dist[closer] = d[closer]
            far = dist.max(-1)[1]
        return idx

    def forward(self, xyz):
        idx = self.farthest(xyz, 4)
        return torch.gather(xyz, 1, idx[..., None].expand(-1, -1, 3))


class Ball(nn.Module):
    def __init__(self, r=0.5):
        super().__init__()
        self.r = r

    def forward(self, xyz, centers):
        d = torch.cdist(centers, xyz)
        groups = []
        for row in d[0]:
            near = (row < self.r).nonzero(as_tuple=True)[0]
            groups.append(near[:4])
        return groups


class CRF(nn.Module):
    def __init__(self, tags=5):
        super().__init__()
        self.trans = nn.Parameter(torch.randn(tags, tags))

    def decode(self, emissions, mask):
        score = emissions[0]
        history = []
        for i in range(1, len(emissions)):
            s = score[:, :, None] + self.trans + emissions[i][:, None]
            best, idx = s.max(1)
            score = torch.where(mask[i][:, None], best, score)
            history.append(idx)
        ends = mask.sum(0) - 1
        paths = []
        for b in range(mask.size(1)):
            _, last = score[b].max(0)
            path = [last.item()]
            for h in reversed(history[: ends[b]]):
                last = h[b][path[-1]]
                path.append(last.item())
            paths.append(path[::-1])
        return paths

    def forward(self, emissions, mask):
        return self.decode(emissions, mask)


class Lookup(nn.Module):
    names = ["a", "b", "c"]

    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(8, 3)

    def forward(self, x):
        best = self.lin(x).mean(0).argmax()
        return self.names[best]


class JsonLog(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(8, 8)
        self.lock = threading.Lock()

    def forward(self, x):
        y = self.lin(x)
        with self.lock:
            sys.stderr.write(json.dumps({"n": y.shape[0]}) + "\n")
        return y


class Sig(nn.Module):
    def __init__(self, fn=None):
        super().__init__()
        self.fn = fn or torch.relu
        self.lin = nn.Linear(8, 8)

    def forward(self, x, **kw):
        accepted = inspect.signature(self.fn).parameters if inspect.isfunction(self.fn) else {}
        kw = {k: v for k, v in kw.items() if k in accepted}
        return self.fn(self.lin(x), **kw)


def double(x, scale=2.0):
    return x * scale


class Kalman(nn.Module):
    def __init__(self, n=3):
        super().__init__()
        self.A = nn.Parameter(torch.eye(n))
        self.Q = torch.eye(n) * 0.1

    def forward(self, zs):
        x = zs[0]
        P = torch.eye(3)
        out = []
        for z in zs[1:]:
            x = self.A @ x
            P = self.A @ P @ self.A.T + self.Q
            S = P + torch.eye(3)
            if torch.linalg.det(S).abs() < 1e-6:
                S = S + 1e-3 * torch.eye(3)
            K = P @ torch.linalg.inv(S)
            x = x + K @ (z - x)
            P = (torch.eye(3) - K) @ P
            out.append(x)
        return torch.stack(out)


class Newton(nn.Module):
    def forward(self, y):
        x = torch.ones_like(y)
        for _ in range(20):
            step = (x * x - y) / (2 * x)
            x = x - step
            if step.abs().max() < 1e-4:
                break
        return x


class Whiten(nn.Module):
    def forward(self, x):
        x = x - x.mean(0)
        cov = x.T @ x / (len(x) - 1)
        vals, vecs = torch.linalg.eigh(cov)
        good = vals > 1e-5
        return x @ vecs[:, good] / vals[good].sqrt()


class Vote(nn.Module):
    def forward(self, preds):
        votes = Counter(preds.tolist())
        winner, n = votes.most_common(1)[0]
        return torch.tensor(winner), n


class Chunks(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(8, 8)

    def forward(self, x, max_tokens=16):
        lens = (x.abs().sum(-1) > 0).sum(-1)
        order = torch.argsort(lens, descending=True)
        outs = []
        batch, tokens = [], 0
        for i in order:
            n = lens[i]
            if tokens + n > max_tokens:
                outs.append(self.lin(torch.stack(batch)))
                batch, tokens = [], 0
            batch.append(x[i])
            tokens += n
        if batch:
            outs.append(self.lin(torch.stack(batch)))
        return torch.cat(outs)


class Interp(nn.Module):
    def forward(self, x, scale=1.5):
        h, w = x.shape[-2:]
        nh, nw = int(h * scale), math.floor(w * scale)
        x = F.interpolate(x, size=(nh, nw), mode="bilinear", align_corners=False)
        pad = (8 - nh % 8) % 8
        return F.pad(x, (0, pad, 0, pad))


class Mixup(nn.Module):
    def __init__(self, alpha=0.2):
        super().__init__()
        self.alpha = alpha

    def forward(self, x, y):
        lam = np.random.beta(self.alpha, self.alpha) if self.alpha > 0 else 1
        perm = torch.randperm(x.size(0))
        return lam * x + (1 - lam) * x[perm], y, y[perm], lam


class CutMix(nn.Module):
    def forward(self, x):
        lam = torch.distributions.Beta(1.0, 1.0).sample()
        h, w = x.shape[-2:]
        ch, cw = int(h * (1 - lam).sqrt()), int(w * (1 - lam).sqrt())
        cy, cx = torch.randint(h, (1,)).item(), torch.randint(w, (1,)).item()
        y1, y2 = max(cy - ch // 2, 0), min(cy + ch // 2, h)
        x1, x2 = max(cx - cw // 2, 0), min(cx + cw // 2, w)
        x = x.clone()
        x[..., y1:y2, x1:x2] = x.flip(0)[..., y1:y2, x1:x2]
        return x


class Tree(nn.Module):
    def __init__(self):
        super().__init__()
        self.leaf = nn.Linear(4, 4)
        self.comb = nn.Linear(8, 4)

    def node(self, tree, x):
        if isinstance(tree, int):
            return self.leaf(x[tree])
        left, right = tree
        return self.comb(torch.cat([self.node(left, x), self.node(right, x)]))

    def forward(self, x):
        return self.node(((0, 1), (2, 3)), x)


class Memory(nn.Module):
    def __init__(self, size=4):
        super().__init__()
        self.register_buffer("queue", torch.randn(size, 8))
        self.register_buffer("ptr", torch.zeros(1, dtype=torch.long))

    @torch.no_grad()
    def push(self, keys):
        ptr = int(self.ptr)
        n = keys.shape[0]
        assert self.queue.shape[0] % n == 0
        self.queue[ptr : ptr + n, :] = keys
        self.ptr[0] = (ptr + n) % self.queue.shape[0]

    def forward(self, q):
        logits = q @ self.queue.clone().T
        self.push(q.detach())
        return logits


class Aux(t.NamedTuple):
    out: Tensor
    reg: t.Optional[Tensor] = None


class Typed(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(8, 8)

    def head(self, x: Tensor) -> Aux:
        y = self.lin(x)
        return Aux(y, y.pow(2).mean())

    def forward(self, x: Tensor) -> Tensor:
        aux = self.head(x)
        if aux.reg is not None and aux.reg > 10:
            return aux.out / aux.reg
        return aux.out


class Labels(nn.Module):
    def forward(self, scores, labels):
        hist = np.bincount(labels.numpy(), minlength=3)
        w = torch.tensor(hist.max() / (hist + 1), dtype=torch.float)
        return F.cross_entropy(scores, labels, weight=w)


class Retry(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(8, 8)

    def forward(self, x):
        a = x.T @ x
        try:
            c = torch.linalg.cholesky(a)
        except RuntimeError:
            c = torch.linalg.cholesky(a + torch.eye(8) * 1e-3)
        return self.lin(x) @ c


class Sorted(nn.Module):
    def forward(self, xs):
        xs = sorted(xs, key=lambda v: v.mean().item())
        return torch.stack(xs)


class MaxPy(nn.Module):
    def forward(self, xs):
        best = max(range(len(xs)), key=lambda i: float(xs[i].sum()))
        return xs[best]


class AnyPy(nn.Module):
    def forward(self, xs):
        if any(torch.isnan(v).any() for v in xs):
            return xs[0]
        return sum(xs)


class EqPy(nn.Module):
    def forward(self, x, y):
        if torch.equal(x, y):
            return x
        if torch.allclose(x, y, atol=1e-3):
            return y
        return x + y


class InPy(nn.Module):
    def forward(self, x, ids):
        if 3 in ids:
            return x * 2
        return x


class Fmt(nn.Module):
    def forward(self, x):
        msg = f"loss: {x.mean():.3f}"
        self.last = msg
        return x


class Wh(nn.Module):
    def forward(self, x):
        n = 0
        while x.norm() > 1:
            x = x / 2
            n += 1
        return x, n


class Ind(nn.Module):
    def forward(self, x):
        i = x.argmax(-1)
        return x[range(len(i)), i], x[i.tolist()]


class Iter(nn.Module):
    def forward(self, x):
        it = iter(x)
        first = next(it)
        rest = list(itertools.islice(it, 2))
        return first + sum(rest)


class Grad(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Linear(8, 1)

    def forward(self, x):
        x = x.detach().requires_grad_(True)
        y = self.f(x).sum()
        (g,) = torch.autograd.grad(y, x, create_graph=True)
        return (g.norm(dim=-1) - 1).pow(2).mean()


class Ckpt(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Linear(8, 8)

    def forward(self, x):
        from torch.utils.checkpoint import checkpoint

        return checkpoint(self.f, x, use_reentrant=False)


class Attr(nn.Module):
    def __init__(self):
        super().__init__()
        self.op = operator.itemgetter(0)
        self.lin = nn.Linear(8, 8)

    def forward(self, x):
        h = self.op((self.lin(x), x))
        self.out_mean = h.mean().item()
        return h


class Sparse2(nn.Module):
    def forward(self, x):
        s = x.relu().to_sparse()
        return torch.sparse.sum(s, dim=0).to_dense()


class Rng(nn.Module):
    def __init__(self):
        super().__init__()
        self.gen = torch.Generator().manual_seed(0)

    def forward(self, x):
        keep = torch.rand(x.shape, generator=self.gen) > 0.5
        return x * keep


class Wt(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.utils.weight_norm(nn.Linear(8, 8)) if False else nn.Linear(8, 8)

    def forward(self, x):
        with torch.no_grad():
            self.lin.weight.data.clamp_(-1, 1)
        norm = self.lin.weight.norm().item()
        return self.lin(x) / max(norm, 1e-6)
