"""Retrieval and ranking: hashed features, bags, sequences, negatives, metrics."""
import hashlib
import os
import zlib
from abc import ABC
from collections import Counter, OrderedDict
from functools import cached_property, reduce
from operator import itemgetter, mul
from typing import Dict, Iterable, List, Mapping, Optional, Sequence, Union

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F


class Feature:
    """One column of the data."""

    def __init__(self, name: str, dim: int = 4):
        self.name = name
        self.dim = dim

    def __repr__(self):
        return f"<{type(self).__name__} {self.name}>"

    @property
    def width(self) -> int:
        return self.dim


class Dense(Feature):
    def __init__(self, name, dim=1, log=False):
        super().__init__(name, dim)
        self.log = log

    def transform(self, x):
        x = x.float()
        return torch.log1p(x.clamp(min=0)) if self.log else x


class Sparse(Feature):
    def __init__(self, name, size, dim=4, padding=None):
        super().__init__(name, dim)
        self.size, self.padding = size, padding


class Hashed(Sparse):
    def bucket(self, value: Union[str, int]) -> int:
        return zlib.crc32(str(value).encode()) % self.size


class Bag(Sparse):
    def __init__(self, name, size, dim=4, mode="mean"):
        super().__init__(name, size, dim)
        self.mode = mode


class FeatureEmbedding(nn.Module):
    def __init__(self, features: Sequence[Feature]):
        super().__init__()
        self.features = list(features)
        self.tables = nn.ModuleDict()
        for f in self.features:
            if isinstance(f, Bag):
                self.tables[f.name] = nn.EmbeddingBag(f.size, f.dim, mode=f.mode)
            elif isinstance(f, Sparse):
                self.tables[f.name] = nn.Embedding(f.size, f.dim, padding_idx=f.padding)

    @cached_property
    def out_dim(self):
        return sum(f.width for f in self.features)

    def forward(self, inputs: Mapping[str, Tensor]) -> Tensor:
        parts = []
        for f in self.features:
            value = inputs[f.name]
            if isinstance(f, Dense):
                value = f.transform(value)
                parts.append(value if value.dim() > 1 else value.unsqueeze(-1))
            elif isinstance(f, Hashed):
                value = torch.tensor([f.bucket(v) for v in value])
                parts.append(self.tables[f.name](value))
            else:
                parts.append(self.tables[f.name](value))
        return torch.cat(parts, dim=1)


class FM(nn.Module):
    def forward(self, x):
        square = x.sum(1) ** 2
        return 0.5 * (square - (x**2).sum(1)).sum(1, keepdim=True)


class CrossNet(nn.Module):
    def __init__(self, dim, layers=2):
        super().__init__()
        self.w = nn.ParameterList([nn.Parameter(torch.randn(dim, 1) * 0.1) for _ in range(layers)])
        self.b = nn.ParameterList([nn.Parameter(torch.zeros(dim)) for _ in range(layers)])

    def forward(self, x0):
        x = x0
        for w, b in zip(self.w, self.b):
            x = x0 * (x @ w) + b + x
        return x


class Dice(nn.Module):
    """The activation, not the coefficient."""

    def __init__(self, dim):
        super().__init__()
        self.bn = nn.BatchNorm1d(dim, eps=1e-9)
        self.alpha = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        p = torch.sigmoid(self.bn(x))
        return self.alpha * (1 - p) * x + p * x


def activation(name, dim=None):
    if isinstance(name, str):
        if name.lower() == "dice":
            return Dice(dim)
        return {"relu": nn.ReLU(inplace=True), "prelu": nn.PReLU()}[name.lower()]
    elif issubclass(name, nn.Module):
        return name()
    raise NotImplementedError(name)


class DCN(nn.Module):
    def __init__(self, features, hidden=(8, 4), act="dice", l2=1e-4):
        super().__init__()
        self.embed = FeatureEmbedding(features)
        dim = self.embed.out_dim
        self.cross = CrossNet(dim)
        sizes = [dim, *hidden]
        self.deep = nn.Sequential(
            *[m for a, b in zip(sizes, sizes[1:]) for m in (nn.Linear(a, b), activation(act, b))]
        )
        self.out = nn.Linear(dim + hidden[-1], 1)
        self.l2 = l2
        self.reg_items = [(self.deep.named_parameters(), l2)]

    def regularisation(self):
        total = torch.zeros((1,))
        for name, p in self.deep.named_parameters():
            if "weight" in name and self.l2 > 0:
                total += self.l2 * p.square().sum()
        return total

    def forward(self, inputs, label=None):
        x = self.embed(inputs)
        logit = self.out(torch.cat([self.cross(x), self.deep(x)], 1)).squeeze(1)
        if label is None:
            return torch.sigmoid(logit)
        return F.binary_cross_entropy_with_logits(logit, label) + self.regularisation()


class TwoTower(nn.Module):
    def __init__(self, users=10, items=20, dim=8, temperature=0.1, hard=0):
        super().__init__()
        self.user, self.item = nn.Embedding(users, dim), nn.Embedding(items, dim)
        self.t, self.hard = temperature, hard
        self.register_buffer("popularity", torch.ones(items))
        self.seen = Counter()

    def forward(self, user, item):
        u, v = F.normalize(self.user(user), dim=-1), F.normalize(self.item(item), dim=-1)
        logits = u @ v.T / self.t
        logits = logits - torch.log(self.popularity[item] / self.popularity.sum())
        same = item[:, None] == item[None, :]
        same.fill_diagonal_(False)
        logits[same] = -1e9
        if self.hard:
            off = logits.masked_fill(torch.eye(len(item), dtype=torch.bool), -1e9)
            logits = torch.cat([logits.diag()[:, None], off.topk(self.hard, dim=1).values], 1)
            return F.cross_entropy(logits, torch.zeros(len(item), dtype=torch.long))
        if self.training:
            self.popularity.index_add_(0, item, torch.ones(len(item)))
            self.seen.update(item.tolist())
        return F.cross_entropy(logits, torch.arange(len(item)))


class NegativeSampler(nn.Module):
    def __init__(self, items=20, k=3, power=0.75, strategy="uniform"):
        super().__init__()
        freq = torch.arange(1, items + 1).float() ** power
        self.register_buffer("dist", freq / freq.sum())
        self.items, self.k, self.strategy = items, k, strategy

    def forward(self, positives, history: Optional[List[set]] = None):
        b = positives.shape[0]
        if self.strategy == "popular":
            return torch.multinomial(self.dist, b * self.k, replacement=True).view(b, self.k)
        neg = torch.randint(0, self.items, (b, self.k))
        clash = neg == positives[:, None]
        while clash.any():
            neg[clash] = torch.randint(0, self.items, (int(clash.sum()),))
            clash = neg == positives[:, None]
        return neg


class HistoryAware(nn.Module):
    def __init__(self, items=20):
        super().__init__()
        self.items = items

    def forward(self, history: List[List[int]]):
        out = []
        for seen in history:
            item = np.random.randint(self.items)
            while item in seen:
                item = np.random.randint(self.items)
            out.append(item)
        return torch.LongTensor(out)


class BPR(nn.Module):
    def __init__(self, users=10, items=20, dim=8, sampler=None):
        super().__init__()
        self.u, self.i = nn.Embedding(users, dim), nn.Embedding(items, dim)
        self.sampler = sampler or NegativeSampler(items)

    def score(self, user, item):
        return (self.u(user).unsqueeze(1) * self.i(item)).sum(-1)

    def forward(self, user, item):
        neg = self.sampler(item)
        diff = self.score(user, item[:, None]) - self.score(user, neg)
        auc = (diff > 0).float().mean()
        return -F.logsigmoid(diff).mean(), auc


class SASRec(nn.Module):
    def __init__(self, items=20, dim=8, maxlen=6, heads=2):
        super().__init__()
        self.item = nn.Embedding(items + 1, dim, padding_idx=0)
        self.pos = nn.Embedding(maxlen, dim)
        self.layer = nn.TransformerEncoderLayer(dim, heads, 16, batch_first=True, dropout=0.0)
        self.norm = nn.LayerNorm(dim)

    def forward(self, seq, pos=None, neg=None):
        n = seq.shape[1]
        x = self.item(seq) * self.item.embedding_dim**0.5 + self.pos(torch.arange(n))
        pad = seq == 0
        x = x * ~pad.unsqueeze(-1)
        causal = torch.triu(torch.ones(n, n, dtype=torch.bool), 1)
        h = self.norm(self.layer(x, src_mask=causal))
        if pos is None:
            return h[:, -1] @ self.item.weight.T
        p, q = (h * self.item(pos)).sum(-1), (h * self.item(neg)).sum(-1)
        indices = torch.where(pos != 0)
        loss = F.binary_cross_entropy_with_logits(p[indices], torch.ones_like(p[indices]))
        return loss + F.binary_cross_entropy_with_logits(q[indices], torch.zeros_like(q[indices]))


class GRU4Rec(nn.Module):
    """Sessions in parallel; a finished one makes place for the next."""

    def __init__(self, items=20, dim=8):
        super().__init__()
        self.emb = nn.Embedding(items, dim)
        self.gru = nn.GRU(dim, dim)
        self.h = None

    def reset(self, finished):
        if self.h is not None and len(finished) > 0:
            self.h[:, finished, :] = 0

    def forward(self, item, finished):
        self.reset(torch.nonzero(finished).view(-1))
        out, h = self.gru(self.emb(item)[None], self.h)
        self.h = h.detach()
        return out[0] @ self.emb.weight.t()


class DIN(nn.Module):
    def __init__(self, items=20, dim=4):
        super().__init__()
        self.emb = nn.Embedding(items, dim)
        self.att = nn.Sequential(nn.Linear(4 * dim, 8), nn.PReLU(), nn.Linear(8, 1))

    def forward(self, target, history, lengths):
        q, k = self.emb(target), self.emb(history)
        q = q.unsqueeze(1).expand(-1, k.size(1), -1)
        w = self.att(torch.cat([q, k, q - k, q * k], -1)).squeeze(-1)
        mask = torch.arange(k.size(1)) < lengths[:, None]
        w = torch.where(mask, w, torch.tensor(float("-inf"))).softmax(-1)
        w = torch.where(torch.isnan(w), torch.zeros_like(w), w)
        return (w.unsqueeze(-1) * k).sum(1)


class MMoE(nn.Module):
    def __init__(self, dim=8, experts=3, tasks=("ctr", "cvr")):
        super().__init__()
        self.experts = nn.ModuleList([nn.Linear(dim, 4) for _ in range(experts)])
        self.gates = nn.ModuleDict({t: nn.Linear(dim, experts) for t in tasks})
        self.towers = nn.ModuleDict({t: nn.Linear(4, 1) for t in tasks})
        self.weights = nn.ParameterDict({t: nn.Parameter(torch.zeros(1)) for t in tasks})

    def forward(self, x, labels: Optional[Dict[str, Tensor]] = None):
        h = torch.stack([e(x) for e in self.experts], 1)
        out = OrderedDict()
        for task, gate in self.gates.items():
            mix = gate(x).softmax(-1).unsqueeze(-1)
            out[task] = self.towers[task]((h * mix).sum(1)).squeeze(-1).sigmoid()
        if labels is None:
            return out
        losses = {t: F.binary_cross_entropy(out[t], labels[t]) for t in out}
        worst = max(losses, key=losses.get)
        total = sum(torch.exp(-self.weights[t]) * losses[t] + self.weights[t] for t in losses)
        return total, worst


class Calibrated(nn.Module):
    def __init__(self, bins=4):
        super().__init__()
        self.bins = bins
        self.register_buffer("edges", torch.linspace(0, 1, bins + 1))

    def forward(self, prob, label):
        where = torch.bucketize(prob, self.edges[1:-1])
        ece = torch.zeros(())
        for b in range(self.bins):
            inside = where == b
            if inside.sum() > 0:
                ece += inside.float().mean() * (prob[inside].mean() - label[inside].mean()).abs()
        return ece


class Embedder(ABC, nn.Module):
    def encode(self, texts: Iterable[str]) -> Tensor:
        rows = []
        for text in texts:
            digest = hashlib.md5(text.encode("utf-8")).hexdigest()
            rows.append(int(digest[:8], 16) % 16)
        return torch.tensor(rows)


class TextTower(Embedder):
    def __init__(self, dim=4):
        super().__init__()
        self.table = nn.Embedding(16, dim)

    def forward(self, texts):
        return self.table(self.encode(texts)).mean(0)


class MultiHash(nn.Module):
    """Several hashes of an id into one table."""

    def __init__(self, size=11, dim=4, hashes=2):
        super().__init__()
        self.table = nn.Embedding(size, dim)
        self.size = size
        g = np.random.RandomState(0)
        self.a = [int(v) for v in g.randint(1, 1000, hashes)]
        self.b = [int(v) for v in g.randint(0, 1000, hashes)]
        self.weight = nn.Embedding(7, hashes)

    def forward(self, ids):
        rows = torch.stack([(ids * a + b) % 1009 % self.size for a, b in zip(self.a, self.b)], -1)
        return (self.table(rows) * self.weight(ids % 7).unsqueeze(-1)).sum(-2)


class QRTrick(nn.Module):
    def __init__(self, n=20, buckets=4, op="mul", dim=4):
        super().__init__()
        self.q = nn.Embedding(-(-n // buckets), dim)
        self.r = nn.Embedding(buckets, dim)
        self.buckets, self.op = buckets, op

    def forward(self, ids):
        q = self.q(torch.div(ids, self.buckets, rounding_mode="trunc"))
        r = self.r(torch.remainder(ids, self.buckets).long())
        return {"mul": q * r, "add": q + r}[self.op]


class Recommend(nn.Module):
    """Top items that a user has not seen."""

    def __init__(self, model: TwoTower, k=3):
        super().__init__()
        self.model = model
        self.k = k

    @torch.no_grad()
    def forward(self, user, seen: List[List[int]]):
        scores = self.model.user(user) @ self.model.item.weight.T
        for row, items in enumerate(seen):
            scores[row, items] = float("-inf")
        values, items = scores.topk(self.k)
        return [[(int(i), round(float(v), 3)) for i, v in zip(*pair)] for pair in zip(items, values)]


def dcg(rel):
    return (rel / torch.log2(torch.arange(rel.shape[-1]) + 2.0)).sum(-1)


class RankingMetrics(nn.Module):
    def __init__(self, ks=(1, 3)):
        super().__init__()
        self.ks = ks

    def forward(self, scores, relevant):
        order = scores.argsort(-1, descending=True)
        rel = relevant.gather(1, order).float()
        out = {}
        for k in self.ks:
            ideal = relevant.float().sort(-1, descending=True).values[:, :k]
            out[f"ndcg@{k}"] = dcg(rel[:, :k]) / dcg(ideal).clamp(min=1e-9)
            out[f"recall@{k}"] = rel[:, :k].sum(1) / rel.sum(1).clamp(min=1)
        first = rel.argmax(1) + 1
        out["mrr"] = torch.where(rel.any(1), 1 / first, torch.zeros(len(rel)))
        return {k: v.mean() for k, v in out.items()}


class UserAUC(nn.Module):
    def forward(self, user, score, label):
        aucs = {}
        for u in torch.unique(user):
            mine = user == u
            s, y = score[mine], label[mine]
            pos, neg = s[y == 1], s[y == 0]
            if len(pos) == 0 or len(neg) == 0:
                continue
            aucs[u.item()] = (pos[:, None] > neg[None]).float().mean()
        best = sorted(aucs.items(), key=itemgetter(1), reverse=True)
        return np.mean([v for _, v in best]) if best else 0.5


class Product(nn.Module):
    def forward(self, *parts):
        return reduce(mul, parts)


class Thompson(nn.Module):
    def __init__(self, arms=4):
        super().__init__()
        self.register_buffer("wins", torch.ones(arms))
        self.register_buffer("losses", torch.ones(arms))

    def forward(self, reward=None, arm=None):
        if reward is not None:
            self.wins[arm] += reward
            self.losses[arm] += 1 - reward
        draw = torch.distributions.Beta(self.wins, self.losses).sample()
        return draw.argmax()


class LinUCB(nn.Module):
    def __init__(self, arms=3, dim=4, alpha=1.0):
        super().__init__()
        self.A = [torch.eye(dim) for _ in range(arms)]
        self.b = [torch.zeros(dim) for _ in range(arms)]
        self.alpha = alpha

    def forward(self, x, reward: float = 1.0):
        ucb = []
        for A, b in zip(self.A, self.b):
            inv = torch.linalg.inv(A)
            ucb.append((inv @ b) @ x + self.alpha * torch.sqrt(x @ inv @ x))
        arm = int(torch.stack(ucb).argmax())
        self.A[arm] = self.A[arm] + torch.outer(x, x)
        self.b[arm] = self.b[arm] + reward * x
        return arm


class DebugDump(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner
        self.path = os.environ.get("DUMP", "")

    def forward(self, *args):
        out = self.inner(*args)
        if self.path:
            np.save(self.path, out.detach().cpu().numpy())
        if torch.isnan(out).any():
            raise AssertionError("nan in output")
        return out
