"""A decoder with its configuration, a trainer, samplers, detection and reinforcement learning."""

import math
from collections import defaultdict
from copy import deepcopy
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import List, Optional

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint


@dataclass
class ModelConfig:
    dim: int = 8
    heads: int = 2
    layers: int = 2
    dropout: float = 0.0
    kind: str = "full"
    clip: Optional[float] = 1.0
    debug: bool = False
    widths: List[int] = field(default_factory=lambda: [8, 16])
    use_cache: bool = True


def from_dict(d):
    return SimpleNamespace(**d)


class Recorder:
    def __init__(self):
        self.data = defaultdict(list)
        self.enabled = True

    def log(self, name, value):
        if self.enabled:
            self.data[name].append(value.detach().cpu().item())

    def mean(self, name):
        return np.mean(self.data[name])


recorder = Recorder()


class LoggingMixin:
    def log_stats(self, name, x):
        if getattr(self, "log_enabled", False):
            print(f"{name}: {x.min().item():.2f} {x.max().item():.2f}")

    def count(self):
        self.calls = getattr(self, "calls", 0) + 1
        return self.calls


class Attention(LoggingMixin, nn.Module):
    def __init__(self, cfg: ModelConfig):
        super().__init__()
        self.cfg = cfg
        self.qkv = nn.Linear(cfg.dim, 3 * cfg.dim)
        self.register_buffer("mask", torch.tril(torch.ones(64, 64)).bool(), persistent=False)

    def forward(self, x, cache=None, pos=None):
        b, n, d = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        if cache is not None:
            k = torch.cat([cache["k"], k], 1)
            v = torch.cat([cache["v"], v], 1)
            cache["k"], cache["v"] = k, v
        att = q @ k.transpose(-1, -2) / math.sqrt(d)
        att = att.masked_fill(~self.mask[: att.size(1), : att.size(2)], float("-inf"))
        self.log_stats("att", att)
        return att.softmax(-1) @ v


class SparseAttention(Attention):
    def forward(self, x, cache=None, pos=None):
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        att = q @ k.transpose(-1, -2)
        thr = att.quantile(0.5)
        keep = att > thr
        rows = keep.any(-1)
        out = torch.zeros_like(v)
        out[rows] = (att.masked_fill(~keep, -1e9).softmax(-1) @ v)[rows]
        return out


class Block(nn.Module):
    kinds = {"full": Attention, "sparse": SparseAttention}

    def __init__(self, cfg):
        super().__init__()
        self.attn = self.kinds[cfg.kind](cfg)
        self.mlp = nn.Sequential(nn.Linear(cfg.dim, 16), nn.GELU(), nn.Linear(16, cfg.dim))
        self.clip = cfg.clip

    def forward(self, x, cache=None):
        x = x + self.attn(x, cache)
        if self.clip is not None:
            n = x.norm()
            if n > self.clip * 1000:
                x = x * (self.clip * 1000 / n)
        return x + self.mlp(x)


class Decoder(nn.Module):
    def __init__(self, cfg=None):
        super().__init__()
        cfg = cfg or ModelConfig()
        self.cfg = cfg
        self.emb = nn.Embedding(32, cfg.dim)
        self.blocks = nn.ModuleList([Block(cfg) for _ in range(cfg.layers)])
        self.head = nn.Linear(cfg.dim, 32, bias=False)
        self.head.weight = self.emb.weight

    def forward(self, ids, targets=None):
        x = self.emb(ids)
        for blk in self.blocks:
            x = blk(x)
        logits = self.head(x)
        if targets is None:
            return logits
        valid = targets != -1
        loss = F.cross_entropy(logits[valid], targets[valid])
        recorder.log("loss", loss)
        return logits, loss

    @torch.no_grad()
    def generate(self, ids, steps=3, eos=2):
        for _ in range(steps):
            nxt = self(ids)[:, -1].argmax(-1, keepdim=True)
            ids = torch.cat([ids, nxt], 1)
            if (nxt == eos).all():
                break
        return ids


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = Decoder()

    def forward(self, ids):
        return self.net.generate(ids)


class Trainer:
    def __init__(self, model, lr=0.1):
        self.model = model
        self.opt = torch.optim.SGD(model.parameters(), lr=lr)
        self.best = float("inf")

    def step(self, x, y):
        self.opt.zero_grad()
        loss = F.mse_loss(self.model(x), y)
        loss.backward()
        norm = nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        if torch.isfinite(norm):
            self.opt.step()
        if loss.item() < self.best:
            self.best = loss.item()
        return loss


class TrainStep(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(8, 8)
        self.trainer = Trainer(self.net)

    def forward(self, x, y):
        return self.trainer.step(x, y)


class GanLoss(nn.Module):
    def __init__(self, mode="hinge"):
        super().__init__()
        self.mode = mode
        self.real = None

    def target(self, x, real):
        if self.real is None or self.real.numel() != x.numel():
            self.real = torch.ones_like(x)
        return self.real if real else torch.zeros_like(x)

    def forward(self, x, real):
        if self.mode == "hinge":
            return F.relu(1 - x if real else 1 + x).mean()
        if self.mode == "lsgan":
            return F.mse_loss(x, self.target(x, real))
        raise NotImplementedError(self.mode)


class Diffusion(nn.Module):
    def __init__(self, steps=10):
        super().__init__()
        self.net = nn.Linear(8, 8)
        betas = torch.linspace(1e-4, 0.02, steps)
        self.register_buffer("betas", betas)
        self.register_buffer("abar", torch.cumprod(1 - betas, 0))
        self.steps = steps

    def q(self, x, t):
        a = self.abar[t].view(-1, 1)
        eps = torch.randn_like(x)
        return a.sqrt() * x + (1 - a).sqrt() * eps, eps

    def forward(self, x):
        t = torch.randint(0, self.steps, (x.size(0),))
        xt, eps = self.q(x, t)
        return F.mse_loss(self.net(xt), eps)

    def sample(self, n):
        x = torch.randn(n, 8)
        for t in reversed(range(self.steps)):
            z = torch.randn_like(x) if t > 0 else 0
            x = (x - self.betas[t] * self.net(x)) / (1 - self.betas[t]).sqrt() + self.betas[t].sqrt() * z
        return x


class Sampler(nn.Module):
    def __init__(self):
        super().__init__()
        self.d = Diffusion()

    def forward(self, x):
        return self.d.sample(x.size(0))


class Adaptive(nn.Module):
    def __init__(self, max_steps=5):
        super().__init__()
        self.cell = nn.GRUCell(4, 4)
        self.halt = nn.Linear(4, 1)
        self.max_steps = max_steps

    def forward(self, x):
        h = torch.zeros_like(x)
        total = torch.zeros(x.size(0))
        n = 0
        while n < self.max_steps and bool((total < 0.99).any()):
            h = self.cell(x, h)
            total = total + self.halt(h).sigmoid().squeeze(-1)
            n += 1
        return h, n


class Frozen(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(8, 8), nn.Linear(8, 8)
        self.step = 0

    def forward(self, x):
        for p in self.a.parameters():
            p.requires_grad = self.step > 10
        self.step += 1
        return self.b(self.a(x))


class Normalizer(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.register_buffer("mean", torch.zeros(dim))
        self.register_buffer("count", torch.tensor(0.0))

    def forward(self, x):
        if self.training:
            self.count += x.size(0)
            delta = x.mean(0) - self.mean
            self.mean += delta * x.size(0) / self.count
        if self.count.item() < 1:
            return x
        return x - self.mean


class Ns(nn.Module):
    def __init__(self):
        super().__init__()
        self.cfg = from_dict({"scale": 2.0, "names": ["a", "b"], "debug": False})
        self.lin = nn.ModuleDict({n: nn.Linear(8, 8) for n in self.cfg.names})

    def forward(self, x):
        outs = {n: self.lin[n](x) * self.cfg.scale for n in self.cfg.names}
        if self.cfg.debug:
            print({k: v.mean() for k, v in outs.items()})
        worst = min(outs, key=lambda n: outs[n].mean())
        return outs[worst]


class Packed(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(8, 8, batch_first=True)

    def forward(self, seqs):
        lens = torch.tensor([len(s) for s in seqs])
        padded = nn.utils.rnn.pad_sequence(seqs, batch_first=True)
        packed = nn.utils.rnn.pack_padded_sequence(padded, lens, batch_first=True, enforce_sorted=False)
        _, h = self.gru(packed)
        return h[-1]


class Ensemble(nn.Module):
    def __init__(self, n=3):
        super().__init__()
        base = nn.Linear(8, 8)
        self.members = nn.ModuleList(deepcopy(base) for _ in range(n))

    def forward(self, x):
        outs = torch.stack([m(x) for m in self.members])
        mean, std = outs.mean(0), outs.std(0)
        self.uncertainty = std.mean().item()
        bad = std > std.mean() + 2 * std.std()
        mean[bad] = 0
        return mean


class Ckpted(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(nn.Linear(8, 8) for _ in range(2))
        self.use = True

    def forward(self, x):
        for b in self.blocks:
            x = checkpoint(b, x, use_reentrant=False) if self.use and self.training else b(x)
        return x


class Detect(nn.Module):
    stride = None

    def __init__(self, nc=2, na=3):
        super().__init__()
        self.nc, self.na = nc, na
        self.grid = [torch.empty(0) for _ in range(2)]
        self.m = nn.ModuleList(nn.Conv2d(4, na * (5 + nc), 1) for _ in range(2))

    @staticmethod
    def make_grid(ny, nx):
        yv, xv = torch.meshgrid(torch.arange(ny), torch.arange(nx), indexing="ij")
        return torch.stack((xv, yv), 2).view(1, 1, ny, nx, 2).float()

    def forward(self, feats):
        z = []
        for i, f in enumerate(feats):
            y = self.m[i](f)
            b, _, ny, nx = y.shape
            y = y.view(b, self.na, self.nc + 5, ny, nx).permute(0, 1, 3, 4, 2).contiguous()
            if not self.training:
                if self.grid[i].shape[2:4] != y.shape[2:4]:
                    self.grid[i] = self.make_grid(ny, nx)
                s = y.sigmoid()
                s[..., :2] = s[..., :2] * 2 - 0.5 + self.grid[i]
                z.append(s.view(b, -1, self.nc + 5))
        return z if z else [m.weight.sum() for m in self.m]


class Post(nn.Module):
    def forward(self, pred, conf=0.5):
        out = []
        for x in pred:
            x = x[x[:, 4] > conf]
            if not x.shape[0]:
                out.append(torch.zeros(0, 6))
                continue
            score, cls = x[:, 5:].max(1, keepdim=True)
            out.append(torch.cat((x[:, :4], score, cls.float()), 1)[score.view(-1) > 0.1])
        return out


class Env(nn.Module):
    def __init__(self):
        super().__init__()
        self.pi = nn.Linear(4, 2)
        self.saved = []

    def act(self, obs):
        obs = torch.as_tensor(obs, dtype=torch.float)
        dist = torch.distributions.Categorical(logits=self.pi(obs))
        a = dist.sample()
        self.saved.append(dist.log_prob(a))
        return a.item()

    def forward(self, obs):
        return self.act(obs)


class Returns(nn.Module):
    def forward(self, rewards, dones, gamma=0.9):
        R, out = 0.0, []
        for r, d in zip(reversed(rewards), reversed(dones)):
            R = r + gamma * R * (1 - d)
            out.insert(0, R)
        out = torch.tensor(out)
        return (out - out.mean()) / (out.std() + 1e-8)


class Gae(nn.Module):
    def forward(self, r, v, d):
        adv = torch.zeros_like(r)
        last = 0
        for t in reversed(range(len(r) - 1)):
            nonterminal = 1.0 - d[t + 1]
            delta = r[t] + 0.9 * v[t + 1] * nonterminal - v[t]
            adv[t] = last = delta + 0.8 * nonterminal * last
        return adv
