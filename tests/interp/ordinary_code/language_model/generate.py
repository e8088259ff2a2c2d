from __future__ import annotations

import heapq
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .cache import DynamicCache, StaticCache, WindowCache
from .layers import Transformer


def top_k_filter(logits: Tensor, k: int) -> Tensor:
    k = min(k, logits.size(-1))
    floor = logits.topk(k)[0][..., -1, None]
    return logits.masked_fill(logits < floor, -float("inf"))


def top_p_filter(logits: Tensor, p: float) -> Tensor:
    ordered, idx = logits.sort(descending=True)
    drop = ordered.softmax(-1).cumsum(-1) > p
    drop[..., 1:] = drop[..., :-1].clone()
    drop[..., 0] = False
    return logits.masked_fill(drop.scatter(1, idx, drop), -float("inf"))


def min_p_filter(logits, p):
    probs = logits.softmax(-1)
    logits = logits.clone()
    logits[probs < p * probs.amax(-1, keepdim=True)] = -float("inf")
    return logits


def typical_filter(logits, mass=0.9):
    logp = logits.log_softmax(-1)
    entropy = -(logp.exp() * logp).sum(-1, keepdim=True)
    shifted = (-logp - entropy).abs()
    order = shifted.argsort(-1)
    cum = logits.gather(-1, order).softmax(-1).cumsum(-1)
    last = (cum < mass).sum(1)
    cut = shifted.gather(-1, order).gather(1, last.clamp(max=logits.size(-1) - 1).view(-1, 1))
    return logits.masked_fill(shifted > cut, -float("inf"))


def repetition_penalty(logits, ids, penalty=1.2):
    score = logits.gather(1, ids)
    return logits.scatter(1, ids, torch.where(score < 0, score * penalty, score / penalty))


def no_repeat_ngram(logits, ids, n=2):
    for b in range(ids.shape[0]):
        seen: dict[tuple, list] = {}
        row = ids[b].tolist()
        for gram in zip(*[row[i:] for i in range(n)]):
            seen.setdefault(gram[:-1], []).append(gram[-1])
        banned = seen.get(tuple(row[len(row) + 1 - n :]), [])
        logits[b, banned] = -float("inf")
    return logits


class Penalties(nn.Module):
    def __init__(self, penalty=1.2, ngram=2):
        super().__init__()
        self.penalty, self.ngram = penalty, ngram

    def forward(self, logits, ids):
        if self.penalty != 1.0:
            logits = repetition_penalty(logits, ids, self.penalty)
        if self.ngram > 0:
            logits = no_repeat_ngram(logits, ids, self.ngram)
        return logits


@dataclass
class Sampling:
    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    max_new: int = 3
    eos: int | None = None
    filters: list[Callable] = field(default_factory=list)

    def pick(self, logits: Tensor) -> Tensor:
        if self.temperature == 0:
            return logits.argmax(-1, keepdim=True)
        logits = logits / self.temperature
        if self.top_k > 0:
            logits = top_k_filter(logits, self.top_k)
        if self.top_p < 1.0:
            logits = top_p_filter(logits, self.top_p)
        for f in self.filters:
            logits = f(logits)
        return torch.multinomial(logits.softmax(-1), 1)


class Generator(nn.Module):
    def __init__(self, model: Transformer, sampling: Sampling | None = None):
        super().__init__()
        self.model = model
        self.s = sampling or Sampling()

    @torch.no_grad()
    def forward(self, ids):
        done = torch.zeros(len(ids), 1, dtype=torch.bool)
        for _ in range(self.s.max_new):
            logits = self.model(ids[:, -self.model.cfg.max_len :])[:, -1]
            nxt = self.s.pick(logits)
            if self.s.eos is not None:
                nxt = torch.where(done, torch.full_like(nxt, self.s.eos), nxt)
                done = done | (nxt == self.s.eos)
            ids = torch.cat([ids, nxt], 1)
            if self.s.eos is not None and done.all():
                break
        return ids


class CachedGenerator(Generator):
    @torch.no_grad()
    def forward(self, ids):
        cache = WindowCache(16)
        step, out = ids, [ids]
        for _ in range(self.s.max_new):
            logits, cache = self.model(step, cache=cache, use_cache=True)
            step = self.s.pick(logits[:, -1])
            out.append(step)
            if (step == self.s.eos).any():
                break
        return torch.cat(out, 1)


class StaticGenerator(Generator):
    def forward(self, ids):
        c = self.model.cfg
        cache = StaticCache(c.layers, len(ids), c.kv_heads, c.max_len, c.head_dim)
        positions = torch.arange(ids.shape[1])
        x = self.model.emb(ids)
        mask = torch.full((ids.shape[1], c.max_len), -1e9).triu(1)
        for block in self.model.blocks:
            x, _ = block(x, positions, mask, cache)
        cache.advance(ids.shape[1])
        return self.model.head(x[:, -1]), cache.pos


class Streamed(Generator):
    def tokens(self, ids) -> Iterator[Tensor]:
        for _ in range(self.s.max_new):
            nxt = self.s.pick(self.model(ids)[:, -1])
            ids = torch.cat([ids, nxt], 1)
            yield nxt

    def forward(self, ids):
        started = time.time()
        out = torch.cat(list(self.tokens(ids)), 1)
        self.speed = out.numel() / (time.time() - started)
        return out


class BeamSearch(nn.Module):
    def __init__(self, model, beams=2, steps=3, eos=1, penalty=0.6):
        super().__init__()
        self.model, self.beams, self.steps, self.eos, self.penalty = model, beams, steps, eos, penalty

    def forward(self, ids):
        ids = ids.repeat(self.beams, 1)
        scores = torch.full((self.beams,), -1e9)
        scores[0] = 0.0
        finished = []
        for step in range(self.steps):
            logp = self.model(ids)[:, -1].log_softmax(-1)
            total = (scores[:, None] + logp).flatten()
            scores, flat = total.topk(self.beams)
            beam, token = flat // logp.shape[1], flat % logp.shape[1]
            ids = torch.cat([ids[beam], token[:, None]], 1)
            for i in range(self.beams):
                if token[i] == self.eos:
                    finished.append((scores[i].item() / (step + 1) ** self.penalty, ids[i]))
                    scores[i] = -1e9
        if not finished:
            return ids[scores.argmax()]
        return max(finished, key=lambda f: f[0])[1]


class BeamHypotheses:
    def __init__(self, n):
        self.n, self.heap, self.count = n, [], 0

    def add(self, ids, score):
        self.count += 1
        heapq.heappush(self.heap, (score, self.count, ids))
        if len(self.heap) > self.n:
            heapq.heappop(self.heap)


class HeapBeam(nn.Module):
    def __init__(self, model, n=2):
        super().__init__()
        self.model, self.n = model, n

    def forward(self, ids):
        best = BeamHypotheses(self.n)
        logp, tok = self.model(ids)[0, -1].log_softmax(-1).topk(4)
        for s, t in zip(logp, tok):
            best.add(torch.cat([ids[0], t[None]]), s.item())
        return [h[-1] for h in best.heap]


class Speculative(nn.Module):
    def __init__(self, draft, target, gamma=2):
        super().__init__()
        self.draft, self.target, self.gamma = draft, target, gamma
        self.accepted = 0

    def forward(self, ids):
        guess = ids
        for _ in range(self.gamma):
            guess = torch.cat([guess, self.draft(guess)[:, -1].argmax(-1, keepdim=True)], 1)
        want = self.target(guess)[:, ids.shape[1] - 1 : -1].argmax(-1)
        agree = (want == guess[:, ids.shape[1] :]).long().cumprod(1).sum(1)
        n = agree.min().item()
        self.accepted += n
        return guess[:, : ids.shape[1] + n]


class Perplexity(nn.Module):
    def __init__(self, model, stride=4):
        super().__init__()
        self.model, self.stride = model, stride

    def forward(self, ids):
        nlls, prev = [], 0
        for begin in range(0, ids.shape[1], self.stride):
            end = min(begin + 8, ids.shape[1])
            new = end - prev
            chunk = ids[:, begin:end]
            target = chunk.clone()
            target[:, :-new] = -100
            nlls.append(self.model(chunk, labels=target)[0])
            prev = end
            if end == ids.shape[1]:
                break
        return torch.exp(torch.stack(nlls).mean())


class DPO(nn.Module):
    def __init__(self, policy, reference, beta=0.1):
        super().__init__()
        self.policy, self.reference, self.beta = policy, reference, beta
        self.history = {"margin": []}

    def logps(self, model, ids, mask):
        logp = model(ids)[:, :-1].log_softmax(-1)
        return (logp.gather(2, ids[:, 1:, None]).squeeze(2) * mask[:, 1:]).sum(1)

    def forward(self, win, lose, mask):
        pi = self.logps(self.policy, win, mask) - self.logps(self.policy, lose, mask)
        with torch.no_grad():
            ref = self.logps(self.reference, win, mask) - self.logps(self.reference, lose, mask)
        logits = self.beta * (pi - ref)
        self.history["margin"].append(logits.mean().detach().cpu())
        return -F.logsigmoid(logits).mean(), (logits > 0).float().mean()


class Pack(nn.Module):
    """Drops the padding of a batch and gives the ends of its rows."""

    def forward(self, ids, mask):
        lengths = mask.sum(1, dtype=torch.int32)
        at = torch.nonzero(mask.flatten()).flatten()
        cu = F.pad(lengths.cumsum(0, dtype=torch.int32), (1, 0))
        return ids.flatten()[at], cu, lengths.max().item()
