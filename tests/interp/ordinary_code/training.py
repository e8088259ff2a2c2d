"""Points, graphs, metrics, recorders, training steps."""
import contextlib
import copy
import os
import warnings
from abc import ABC, abstractmethod
from collections import defaultdict, deque

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.autograd import Function
from torch.utils.checkpoint import checkpoint

REGISTRY = {}


def register(name):
    def wrap(cls):
        REGISTRY[name] = cls
        return cls
    return wrap


def build(name, **kw):
    return REGISTRY[name](**kw)


class Meter:
    def __init__(self):
        self.sum = 0.0
        self.count = 0

    def update(self, value, n=1):
        self.sum += float(value) * n
        self.count += n

    @property
    def avg(self):
        return self.sum / max(self.count, 1)


def farthest_points(xyz, n):
    b, m, _ = xyz.shape
    chosen = torch.zeros(b, n, dtype=torch.long, device=xyz.device)
    dist = torch.full((b, m), 1e10, device=xyz.device)
    far = torch.randint(0, m, (b,), device=xyz.device)
    rows = torch.arange(b, device=xyz.device)
    for i in range(n):
        chosen[:, i] = far
        centre = xyz[rows, far].unsqueeze(1)
        d = ((xyz - centre) ** 2).sum(-1)
        closer = d < dist
        dist[closer] = d[closer]
        far = dist.max(-1)[1]
    return chosen


class PointNet(nn.Module):
    def __init__(self, k=4, n=6):
        super().__init__()
        self.k, self.n = k, n
        self.mlp = nn.Sequential(nn.Linear(3, 8), nn.ReLU(inplace=True), nn.Linear(8, 8))

    def forward(self, xyz):
        idx = farthest_points(xyz, self.n)
        centres = xyz.gather(1, idx[..., None].expand(-1, -1, 3))
        near = torch.cdist(centres, xyz).topk(self.k, largest=False).indices
        groups = torch.stack([xyz[i][near[i]] for i in range(xyz.size(0))])
        return self.mlp(groups - centres[:, :, None]).max(2)[0]


class GraphConv(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.lin = nn.Linear(dim, dim)

    def forward(self, x, edges, batch=None):
        src, dst = edges
        deg = torch.zeros(x.size(0)).index_add_(0, dst, torch.ones(dst.size(0)))
        out = torch.zeros_like(x).index_add(0, dst, self.lin(x)[src])
        out = out / deg.clamp(min=1)[:, None]
        if batch is None:
            return out.mean(0, keepdim=True)
        n = int(batch.max()) + 1
        pooled = torch.zeros(n, x.size(1)).index_add(0, batch, out)
        for g in batch.unique():
            pooled[g] = pooled[g] / (batch == g).sum()
        return pooled


class Base(nn.Module, ABC):
    def __init__(self):
        super().__init__()
        self.history = defaultdict(list)
        self.recent = deque(maxlen=5)

    @abstractmethod
    def step(self, batch): ...

    def log(self, name, value):
        self.history[name].append(value.item() if torch.is_tensor(value) else value)

    def forward(self, batch):
        loss = self.step(batch)
        self.log("loss", loss)
        if torch.isnan(loss):
            raise RuntimeError("loss is nan")
        return loss


@register("triplet")
class Triplet(Base):
    def __init__(self, dim=8, margin=0.2):
        super().__init__()
        self.net = nn.Linear(dim, dim)
        self.margin = margin

    def step(self, batch):
        x, y = batch["x"], batch["y"]
        z = F.normalize(self.net(x), dim=-1)
        d = torch.cdist(z, z)
        same = y[:, None] == y[None]
        eye = torch.eye(len(y), dtype=torch.bool)
        pos = d.masked_fill(~same | eye, -1).max(1).values
        neg = d.masked_fill(same, 1e9).min(1).values
        valid = (same & ~eye).any(1)
        losses = F.relu(pos - neg + self.margin)[valid]
        if losses.numel() == 0:
            return x.sum() * 0
        return losses.mean()


@register("contrast")
class Contrast(Base):
    def __init__(self, dim=8, temperature=0.1, queue=16):
        super().__init__()
        self.net = nn.Linear(dim, dim)
        self.teacher = copy.deepcopy(self.net)
        for p in self.teacher.parameters():
            p.requires_grad = False
        self.t = temperature
        self.register_buffer("queue", F.normalize(torch.randn(dim, queue), dim=0))
        self.register_buffer("ptr", torch.zeros(1, dtype=torch.long))

    @torch.no_grad()
    def update_teacher(self, m=0.99):
        for p, q in zip(self.net.parameters(), self.teacher.parameters()):
            q.data.mul_(m).add_(p.data, alpha=1 - m)

    @torch.no_grad()
    def enqueue(self, keys):
        ptr = int(self.ptr)
        n = keys.shape[0]
        self.queue[:, ptr:ptr + n] = keys.T
        self.ptr[0] = (ptr + n) % self.queue.shape[1]

    def step(self, batch):
        q = F.normalize(self.net(batch["x"]), dim=1)
        with torch.no_grad():
            self.update_teacher()
            k = F.normalize(self.teacher(batch["x"]), dim=1)
        pos = (q * k).sum(1, keepdim=True)
        logits = torch.cat([pos, q @ self.queue.clone()], 1) / self.t
        self.enqueue(k)
        return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))


class Round(Function):
    @staticmethod
    def forward(ctx, x, levels):
        ctx.save_for_backward(x)
        return (x * levels).round() / levels

    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return g * (x.abs() <= 1).float(), None


class FakeQuant(nn.Module):
    def __init__(self, bits=8, observe=True):
        super().__init__()
        self.levels = 2 ** bits - 1
        self.register_buffer("scale", torch.tensor(1.0))
        self.register_buffer("initialised", torch.tensor(False))
        self.observe = observe

    def forward(self, x):
        if self.observe and self.training:
            top = x.detach().abs().max()
            if not self.initialised:
                self.scale.copy_(top)
                self.initialised.fill_(True)
            else:
                self.scale.mul_(0.9).add_(top * 0.1)
        return Round.apply((x / self.scale).clamp(-1, 1), self.levels) * self.scale


class LoRA(nn.Module):
    def __init__(self, dim=8, rank=2, verbose=False):
        super().__init__()
        self.base = nn.Linear(dim, dim)
        self.base.weight.requires_grad_(False)
        self.down = nn.Parameter(torch.randn(rank, dim) * 0.01)
        self.up = nn.Parameter(torch.zeros(dim, rank))
        self.merged = False
        self.verbose = verbose

    def forward(self, x):
        if self.verbose:
            print(f"input {x.shape}, norm {x.norm():.3f}")
        y = self.base(x)
        return y if self.merged else y + x @ self.down.t() @ self.up.t()


class UNet(nn.Module):
    def __init__(self, ch=8, depth=2, use_checkpoint=False):
        super().__init__()
        self.down = nn.ModuleList([nn.Conv2d(3 if i == 0 else ch, ch, 3, padding=1) for i in range(depth)])
        self.up = nn.ModuleList([nn.Conv2d(ch * 2, ch, 3, padding=1) for _ in range(depth)])
        self.last = nn.Conv2d(ch, 3, 1)
        self.use_checkpoint = use_checkpoint

    def forward(self, x):
        skips = []
        for conv in self.down:
            x = checkpoint(conv, x, use_reentrant=False) if self.use_checkpoint else conv(x)
            skips.append(x)
            x = F.max_pool2d(x, 2)
        for conv in self.up:
            skip = skips.pop()
            x = F.interpolate(x, size=skip.shape[-2:], mode="nearest")
            x = F.relu(conv(torch.cat([x, skip], 1)))
        return self.last(x)


class Diffusion(nn.Module):
    def __init__(self, net, steps=10):
        super().__init__()
        self.net, self.steps = net, steps
        betas = torch.linspace(1e-4, 0.02, steps)
        self.register_buffer("bar", (1 - betas).cumprod(0))

    def forward(self, x):
        t = torch.randint(0, self.steps, (x.size(0),))
        noise = torch.randn_like(x)
        a = self.bar[t].view(-1, 1, 1, 1)
        noisy = a.sqrt() * x + (1 - a).sqrt() * noise
        loss = F.mse_loss(self.net(noisy), noise, reduction="none").mean((1, 2, 3))
        return {"loss": loss.mean(), "by_step": dict(zip(t.tolist(), loss.detach().tolist()))}

    @torch.no_grad()
    def sample(self, shape):
        x = torch.randn(shape)
        for t in reversed(range(self.steps)):
            eps = self.net(x)
            x = (x - (1 - self.bar[t]).sqrt() * eps) / self.bar[t].sqrt()
            if t > 0:
                x = x + 0.1 * torch.randn_like(x)
        return x


class Augment(nn.Module):
    def __init__(self, size=4, p=0.5):
        super().__init__()
        self.size, self.p = size, p

    def forward(self, x):
        if self.training and torch.rand(1) < self.p:
            x = x.flip(-1)
        h, w = x.shape[-2:]
        top = torch.randint(0, h - self.size + 1, (1,)).item()
        left = int(torch.randint(0, w - self.size + 1, ()))
        x = x[..., top:top + self.size, left:left + self.size]
        lam = torch.distributions.Beta(1.0, 1.0).sample()
        perm = torch.randperm(x.size(0))
        return lam * x + (1 - lam) * x[perm]


class Recommender(nn.Module):
    def __init__(self, users=10, items=20, dim=8):
        super().__init__()
        self.user = nn.Embedding(users, dim)
        self.item = nn.EmbeddingBag(items, dim, mode="mean")
        self.bias = nn.Parameter(torch.zeros(items))
        self.popular = set()

    def forward(self, user, baskets, offsets):
        z = self.user(user) + self.item(baskets, offsets)
        scores = z @ self.item.weight.t() + self.bias
        seen = baskets.unique()
        scores[:, seen] = -1e9
        top = scores.topk(3).indices
        if os.environ.get("TRACK_ITEMS"):
            self.popular.update(top.flatten().tolist())
        return top


class Policy(nn.Module):
    def __init__(self, obs=4, actions=3):
        super().__init__()
        self.pi = nn.Linear(obs, actions)
        self.v = nn.Linear(obs, 1)

    def forward(self, obs, deterministic=False):
        if not torch.is_tensor(obs):
            obs = torch.as_tensor(obs, dtype=torch.float32)
        dist = torch.distributions.Categorical(logits=self.pi(obs))
        action = dist.probs.argmax(-1) if deterministic else dist.sample()
        return action, dist.log_prob(action), self.v(obs).squeeze(-1)


class Forecaster(nn.Module):
    def __init__(self, horizon=3):
        super().__init__()
        self.rnn = nn.LSTM(1, 8)
        self.out = nn.Linear(8, 1)
        self.horizon = horizon
        self.state = None

    def forward(self, x):
        mu, sd = x.mean(), x.std()
        if sd == 0:
            warnings.warn("constant series")
            sd = torch.ones_like(sd)
        x = (x - mu) / sd
        out, self.state = self.rnn(x[..., None], self.state)
        preds = [self.out(out[-1])]
        for _ in range(self.horizon - 1):
            out, self.state = self.rnn(preds[-1][None], self.state)
            preds.append(self.out(out[-1]))
        self.state = tuple(s.detach() for s in self.state)
        return torch.cat(preds, -1) * sd + mu


class Ensemble(nn.Module):
    def __init__(self, members=3, agree=False):
        super().__init__()
        self.members = nn.ModuleList([nn.Linear(4, 3) for _ in range(members)])
        self.agree = agree
        self.meter = Meter()

    def forward(self, x):
        votes = torch.stack([m(x).argmax(-1) for m in self.members])
        winner = votes.mode(0).values
        if self.agree:
            return winner, (votes == winner).all(0)
        self.meter.update((votes == winner).float().mean())
        return winner
