"""Graph networks and point clouds, with scatter written by hand."""
from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations, product
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def scatter(src: Tensor, index: Tensor, dim_size: int | None = None, reduce: str = "sum") -> Tensor:
    if dim_size is None:
        dim_size = int(index.max()) + 1 if index.numel() > 0 else 0
    size = (dim_size, *src.shape[1:])
    idx = index.view(-1, *([1] * (src.dim() - 1))).expand_as(src)
    if reduce == "sum":
        return src.new_zeros(size).scatter_add_(0, idx, src)
    if reduce == "mean":
        total = src.new_zeros(size).scatter_add_(0, idx, src)
        n = src.new_zeros(dim_size).scatter_add_(0, index, src.new_ones(len(index)))
        return total / n.clamp(min=1).view(-1, *([1] * (src.dim() - 1)))
    return src.new_zeros(size).scatter_reduce_(0, idx, src, reduce=reduce, include_self=False)


def softmax_by(src, index, n):
    top = scatter(src, index, n, "amax")
    e = (src - top[index]).exp()
    return e / (scatter(e, index, n)[index] + 1e-16)


def degree(index, n):
    return torch.zeros(n).index_add_(0, index, torch.ones(index.numel()))


def add_self_loops(edge_index, n=None):
    n = edge_index.max() + 1 if n is None else n
    loop = torch.arange(n).repeat(2, 1)
    return torch.cat([edge_index, loop], 1)


def coalesce(edge_index, n):
    key = edge_index[0] * n + edge_index[1]
    key, inverse = torch.unique(key, return_inverse=True)
    return torch.stack([key // n, key % n]), inverse


@dataclass
class Graph:
    x: Tensor
    edge_index: Tensor
    batch: Tensor | None = None
    y: Tensor | None = None

    @property
    def num_nodes(self) -> int:
        return self.x.size(0)

    @property
    def num_graphs(self):
        return 1 if self.batch is None else int(self.batch[-1]) + 1

    def has_isolated(self):
        return bool((degree(self.edge_index[0], self.num_nodes) == 0).any())


class MessagePassing(nn.Module):
    aggr = "sum"

    def propagate(self, edge_index, x, **kw):
        src, dst = edge_index
        msg = self.message(x[dst], x[src], **kw)
        return self.update(scatter(msg, dst, x.size(0), self.aggr), x)

    def message(self, xi, xj):
        return xj

    def update(self, out, x):
        return out


class GCN(MessagePassing):
    def __init__(self, dim=8, cached=False):
        super().__init__()
        self.lin = nn.Linear(dim, dim)
        self.cached = cached
        self._norm = None

    def norm(self, edge_index, n):
        if self.cached and self._norm is not None:
            return self._norm
        deg = degree(edge_index[1], n)
        inv = deg.pow(-0.5)
        inv[inv == float("inf")] = 0
        norm = inv[edge_index[0]] * inv[edge_index[1]]
        if self.cached:
            self._norm = norm
        return norm

    def message(self, xi, xj, norm):
        return norm[:, None] * xj

    def forward(self, x, edge_index):
        edge_index = add_self_loops(edge_index, x.size(0))
        return self.propagate(edge_index, self.lin(x), norm=self.norm(edge_index, x.size(0)))


class GAT(MessagePassing):
    def __init__(self, dim=8, heads=2):
        super().__init__()
        self.heads = heads
        self.lin = nn.Linear(dim, dim, bias=False)
        self.att = nn.Parameter(torch.randn(2, heads, dim // heads))

    def forward(self, x, edge_index, return_attention=False):
        h = self.lin(x).view(len(x), self.heads, -1)
        src, dst = edge_index
        score = (h * self.att[0]).sum(-1)[src] + (h * self.att[1]).sum(-1)[dst]
        alpha = softmax_by(F.leaky_relu(score, 0.2), dst, len(x))
        out = scatter(h[src] * alpha[..., None], dst, len(x)).flatten(1)
        return (out, alpha) if return_attention else out


class SAGE(MessagePassing):
    aggr = "mean"

    def __init__(self, dim=8, sample=2):
        super().__init__()
        self.lin = nn.Linear(2 * dim, dim)
        self.sample = sample

    def neighbours(self, edge_index, n):
        keep = []
        for v in range(n):
            at = (edge_index[1] == v).nonzero().flatten()
            if len(at) > self.sample:
                at = at[torch.randperm(len(at))[: self.sample]]
            keep.append(at)
        return edge_index[:, torch.cat(keep)]

    def update(self, out, x):
        return F.normalize(self.lin(torch.cat([x, out], -1)), dim=-1)

    def forward(self, x, edge_index):
        if self.training:
            edge_index = self.neighbours(edge_index, x.size(0))
        return self.propagate(edge_index, x)


class Readout(nn.Module):
    def __init__(self, kind="mean"):
        super().__init__()
        self.kind = kind

    def forward(self, g: Graph):
        if g.batch is None:
            return g.x.mean(0, keepdim=True)
        return scatter(g.x, g.batch, g.num_graphs, self.kind)


class GraphModel(nn.Module):
    def __init__(self, dim=8, layers=2, conv=GCN, check=True):
        super().__init__()
        self.convs = nn.ModuleList([conv(dim) for _ in range(layers)])
        self.norms = nn.ModuleList([nn.BatchNorm1d(dim) for _ in range(layers)])
        self.readout = Readout()
        self.out = nn.Linear(dim, 1)
        self.check = check

    def forward(self, g: Graph):
        if self.check and g.has_isolated():
            raise ValueError("graph has isolated nodes")
        x = g.x
        for conv, norm in zip(self.convs, self.norms):
            x = F.dropout(F.relu(norm(conv(x, g.edge_index))), 0.1, self.training)
        return self.out(self.readout(Graph(x, g.edge_index, g.batch)))


class TopKPool(nn.Module):
    def __init__(self, dim=8, ratio=0.5):
        super().__init__()
        self.p = nn.Parameter(torch.randn(dim))
        self.ratio = ratio

    def forward(self, x, edge_index):
        score = torch.tanh(x @ self.p / self.p.norm())
        k = math.ceil(self.ratio * x.size(0))
        perm = score.topk(k).indices
        x = x[perm] * score[perm, None]
        new = torch.full((score.numel(),), -1, dtype=torch.long)
        new[perm] = torch.arange(k)
        row, col = new[edge_index[0]], new[edge_index[1]]
        mask = (row >= 0) & (col >= 0)
        return x, torch.stack([row[mask], col[mask]])


class EdgeDrop(nn.Module):
    def __init__(self, p=0.3):
        super().__init__()
        self.p = p

    def forward(self, edge_index, weight=None):
        if not self.training or self.p == 0.0:
            return edge_index, weight
        keep = torch.rand(edge_index.size(1)) > self.p
        if weight is not None:
            weight = weight[keep]
        return edge_index[:, keep], weight


class LinkPredictor(nn.Module):
    def __init__(self, nodes=6, dim=8):
        super().__init__()
        self.emb = nn.Embedding(nodes, dim)
        self.nodes = nodes

    def negatives(self, edge_index):
        have = set(map(tuple, edge_index.t().tolist()))
        cand = [p for p in product(range(self.nodes), repeat=2) if p not in have and p[0] != p[1]]
        idx = torch.randperm(len(cand))[: edge_index.size(1)]
        return torch.tensor([cand[i] for i in idx]).t()

    def score(self, e):
        return (self.emb(e[0]) * self.emb(e[1])).sum(-1)

    def forward(self, edge_index):
        pos, neg = self.score(edge_index), self.score(self.negatives(edge_index))
        return -F.logsigmoid(pos).mean() - F.logsigmoid(-neg).mean()


class RelationalConv(nn.Module):
    def __init__(self, dim=8, relations=("a", "b")):
        super().__init__()
        self.lins = nn.ModuleDict({r: nn.Linear(dim, dim) for r in relations})

    def forward(self, x, edges: dict[str, Tensor]):
        out = defaultdict(lambda: torch.zeros_like(x))
        for name, lin in self.lins.items():
            if name not in edges:
                continue
            src, dst = edges[name]
            out[name] = out[name].index_add(0, dst, lin(x)[src])
        return sum(out.values())


class TypedConv(nn.Module):
    def __init__(self, dim=8, types=3):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(types, dim, dim))
        self.types = types

    def forward(self, x, edge_index, edge_type):
        out = torch.zeros_like(x)
        for t in range(self.types):
            mask = edge_type == t
            if not mask.any():
                continue
            src, dst = edge_index[:, mask]
            out.index_add_(0, dst, x[src] @ self.weight[t])
        return out


class PageRank(nn.Module):
    def __init__(self, alpha=0.85, tol=1e-4):
        super().__init__()
        self.alpha, self.tol = alpha, tol

    def forward(self, adj):
        n = adj.shape[0]
        p = adj / adj.sum(1, keepdim=True).clamp(min=1)
        r = torch.full((n,), 1 / n)
        for _ in range(20):
            new = self.alpha * r @ p + (1 - self.alpha) / n
            if torch.norm(new - r, p=1) < self.tol:
                break
            r = new
        return new


class Components(nn.Module):
    def forward(self, edge_index, n: int):
        parent = list(range(n))

        def find(i):
            while parent[i] != i:
                parent[i] = parent[parent[i]]
                i = parent[i]
            return i

        for a, b in edge_index.t().tolist():
            parent[find(a)] = find(b)
        sizes = Counter(find(i) for i in range(n))
        return torch.tensor([find(i) for i in range(n)]), sizes.most_common(1)[0][1]


class LabelPropagation(nn.Module):
    def __init__(self, steps=3):
        super().__init__()
        self.steps = steps

    def forward(self, y, mask, adj):
        out = torch.zeros_like(y)
        out[mask] = y[mask]
        for _ in range(self.steps):
            out = adj @ out
            out[mask] = y[mask]
        return out


class KNN(NamedTuple):
    dist: Tensor
    idx: Tensor


def knn(query, ref, k):
    d = torch.cdist(query, ref)
    return KNN(*d.topk(k, largest=False))


def gather(x, idx):
    b = torch.arange(x.size(0)).view(-1, *([1] * (idx.dim() - 1)))
    return x[b, idx]


class EdgeConv(nn.Module):
    def __init__(self, dim=3, out=8, k=3):
        super().__init__()
        self.k = k
        self.net = nn.Sequential(nn.Linear(2 * dim, out), nn.LeakyReLU(0.2))

    def forward(self, x):
        idx = knn(x, x, self.k).idx
        near = gather(x, idx)
        centre = x[:, :, None].expand_as(near)
        return self.net(torch.cat([near - centre, centre], -1)).amax(2)


class BallQuery(nn.Module):
    def __init__(self, radius=0.5, n=4):
        super().__init__()
        self.radius, self.n = radius, n

    def forward(self, xyz, centres):
        b, n, _ = xyz.shape
        s = centres.shape[1]
        idx = torch.arange(n).view(1, 1, n).repeat(b, s, 1)
        d = torch.cdist(centres, xyz) ** 2
        idx[d > self.radius**2] = n
        idx = idx.sort(-1)[0][:, :, : self.n]
        first = idx[:, :, :1].expand_as(idx).clone()
        mask = idx == n
        idx[mask] = first[mask]
        return idx.clamp(max=n - 1)


class Voxelizer(nn.Module):
    def __init__(self, size=0.25, max_points=3):
        super().__init__()
        self.size, self.max_points = size, max_points

    def forward(self, points):
        coords = torch.floor((points - points.min(0)[0]) / self.size).long()
        cells, inverse, counts = coords.unique(dim=0, return_inverse=True, return_counts=True)
        mean = torch.zeros(len(cells), 3).index_add_(0, inverse, points) / counts[:, None]
        return cells, mean


class PillarBuckets(nn.Module):
    def __init__(self, size=0.5, cap=3):
        super().__init__()
        self.size, self.cap = size, cap

    def forward(self, points):
        pillars = {}
        for p in points:
            key = tuple((p[:2] / self.size).int().tolist())
            bucket = pillars.setdefault(key, [])
            if len(bucket) < self.cap:
                bucket.append(p)
        return {k: torch.stack(v).mean(0) for k, v in pillars.items()}


class Chamfer(nn.Module):
    def __init__(self, single=False, robust=None):
        super().__init__()
        self.single = single
        self.robust = robust

    def forward(self, a, b):
        d = torch.cdist(a, b)
        ab = d.min(2).values
        if self.robust is not None:
            ab = ab[ab < self.robust]
        loss = ab.mean()
        if not self.single:
            loss = loss + d.min(1)[0].mean()
        return loss


class ICP(nn.Module):
    """Aligns two clouds, until nothing moves."""

    def __init__(self, steps=5, tol=1e-5):
        super().__init__()
        self.steps, self.tol = steps, tol

    def best_rotation(self, a, b):
        ca, cb = a.mean(0), b.mean(0)
        u, _, vt = torch.linalg.svd((a - ca).T @ (b - cb))
        r = vt.T @ u.T
        if torch.det(r) < 0:
            vt = vt.clone()
            vt[-1] *= -1
            r = vt.T @ u.T
        return r, cb - r @ ca

    def forward(self, a, b):
        last = None
        for _ in range(self.steps):
            near = b[knn(a, b, 1).idx[:, 0]]
            r, t = self.best_rotation(a, near)
            a = a @ r.T + t
            err = (a - near).norm(dim=-1).mean()
            if last is not None and abs(last - err) < self.tol:
                break
            last = err
        return a


def quaternion_to_matrix(q):
    q = F.normalize(q, dim=-1)
    w, x, y, z = q.unbind(-1)
    rows = [
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
        2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
    ]  # fmt: skip
    return torch.stack(rows, -1).view(*q.shape[:-1], 3, 3)


class Pose(nn.Module):
    def forward(self, q, t, points):
        return points @ quaternion_to_matrix(q).transpose(-1, -2) + t[..., None, :]


class RandomRotate(nn.Module):
    def __init__(self, axis=2):
        super().__init__()
        self.axis = axis

    def forward(self, pts):
        angle = np.random.uniform() * 2 * np.pi
        c, s = np.cos(angle), np.sin(angle)
        rot = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]], dtype=np.float32)
        return pts @ torch.from_numpy(rot)


class FourierFeatures(nn.Module):
    BANDS = MappingProxyType({"low": 2, "high": 4})

    def __init__(self, kind="low", include=True):
        super().__init__()
        self.n = self.BANDS[kind]
        self.include = include
        self.fns = [fn for _ in range(self.n) for fn in (torch.sin, torch.cos)]
        self.freqs = 2.0 ** torch.arange(self.n)

    def forward(self, x):
        out = [x] if self.include else []
        for f, fn in zip(self.freqs.repeat_interleave(2), self.fns):
            out.append(fn(x * f))
        return torch.cat(out, -1)


class Renderer(nn.Module):
    def __init__(self, white=True):
        super().__init__()
        self.field = nn.Linear(3, 4)
        self.white = white

    def forward(self, origins, dirs, near=0.0, far=1.0, n=4):
        t = torch.linspace(near, far, n)
        if self.training:
            t = t + torch.rand_like(t) * (far - near) / n
        pts = origins[:, None] + dirs[:, None] * t[None, :, None]
        raw = self.field(pts)
        rgb, sigma = raw[..., :3].sigmoid(), F.softplus(raw[..., 3])
        delta = torch.cat([t[1:] - t[:-1], torch.full((1,), 1e10)])
        alpha = 1 - torch.exp(-sigma * delta)
        trans = torch.cumprod(torch.cat([torch.ones(len(alpha), 1), 1 - alpha + 1e-10], 1), 1)[:, :-1]
        w = alpha * trans
        out = (w[..., None] * rgb).sum(1)
        return out + (1 - w.sum(1, keepdim=True)) if self.white else out


class OccupancyGrid(nn.Module):
    def __init__(self, n=4, threshold=0.5):
        super().__init__()
        self.register_buffer("grid", torch.rand(n, n, n))
        self.n, self.threshold = n, threshold

    def forward(self, pts):
        idx = (pts * self.n).long().clamp(0, self.n - 1)
        live = self.grid[idx.unbind(-1)] > self.threshold
        if live.sum() == 0:
            return pts[:0], live
        return pts[live], live


class Bonds(nn.Module):
    """Pairs of atoms that are near."""

    def __init__(self, cutoff=1.0):
        super().__init__()
        self.cutoff = cutoff

    def forward(self, pos):
        pairs = [(i, j) for i, j in combinations(range(len(pos)), 2) if (pos[i] - pos[j]).norm() < self.cutoff]
        return torch.tensor(pairs).t() if pairs else torch.empty(2, 0, dtype=torch.long)
