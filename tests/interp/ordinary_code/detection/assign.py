"""Which anchor belongs to which box."""
from dataclasses import dataclass
from typing import Optional

import numpy as np
import torch

from .boxes import iou


@dataclass
class Target:
    boxes: torch.Tensor
    labels: torch.Tensor
    ignore: Optional[torch.Tensor] = None

    def __len__(self):
        return len(self.boxes)

    def is_empty(self) -> bool:
        return self.boxes.shape[0] == 0


class MaxIoU:
    def __init__(self, high=0.5, low=0.4, allow_low_quality=True):
        self.high, self.low, self.allow = high, low, allow_low_quality

    def __call__(self, anchors, target: Target):
        if target.is_empty():
            return torch.full((len(anchors),), -1, dtype=torch.long)
        quality = iou(target.boxes, anchors)
        best, match = quality.max(0)
        match = match.clone()
        below = best < self.low
        between = (best >= self.low) & (best < self.high)
        if self.allow:
            top = quality.max(1).values
            forced = torch.where(quality == top[:, None])[1]
            below[forced] = False
            between[forced] = False
        match[below] = -1
        match[between] = -2
        return match


class Balanced:
    """Keeps a fixed number of positives and negatives."""

    def __init__(self, count=8, positive=0.5):
        self.count, self.positive = count, positive

    def __call__(self, match):
        pos = torch.nonzero(match >= 0).squeeze(1)
        neg = torch.nonzero(match == -1).squeeze(1)
        n = min(int(self.count * self.positive), pos.numel())
        m = min(self.count - n, neg.numel())
        pos = pos[torch.randperm(pos.numel())[:n]]
        neg = neg[torch.randperm(neg.numel())[:m]]
        return pos, neg


def greedy_assignment(cost):
    """The cheapest pair, then the cheapest of what is left."""
    cost = cost.numpy().copy()
    rows, cols = [], []
    for _ in range(min(cost.shape)):
        i, j = np.unravel_index(cost.argmin(), cost.shape)
        rows.append(i)
        cols.append(j)
        cost[i, :] = np.inf
        cost[:, j] = np.inf
    return np.array(rows), np.array(cols)


class Matcher(torch.nn.Module):
    def __init__(self, cost_class=1.0, cost_box=5.0):
        super().__init__()
        self.cost_class = cost_class
        self.cost_box = cost_box

    @torch.no_grad()
    def forward(self, logits, boxes, targets):
        bs, n = logits.shape[:2]
        prob = logits.flatten(0, 1).softmax(-1)
        ids = torch.cat([t.labels for t in targets])
        want = torch.cat([t.boxes for t in targets])
        cost = self.cost_box * torch.cdist(boxes.flatten(0, 1), want, p=1) - self.cost_class * prob[:, ids]
        cost = cost.view(bs, n, -1).cpu()
        sizes = [len(t) for t in targets]
        pairs = [greedy_assignment(c[i]) for i, c in enumerate(cost.split(sizes, -1))]
        return [(torch.as_tensor(i), torch.as_tensor(j)) for i, j in pairs]


class SimOTA(torch.nn.Module):
    def __init__(self, candidates=5, radius=2.5):
        super().__init__()
        self.candidates, self.radius = candidates, radius

    def forward(self, scores, boxes, points, target):
        pair = iou(boxes, target.boxes)
        centre = (target.boxes[:, :2] + target.boxes[:, 2:]) / 2
        near = (points[:, None] - centre[None]).abs().max(-1).values < self.radius
        valid = near.any(1)
        cost = -torch.log(pair + 1e-8) - torch.log(scores[:, target.labels].sigmoid() + 1e-8)
        cost = cost + 1e5 * (~near).float()
        matching = torch.zeros_like(cost)
        top = pair.topk(min(self.candidates, pair.size(0)), dim=0).values
        ks = top.sum(0).int().clamp(min=1)
        for g in range(len(target)):
            idx = torch.topk(cost[:, g], k=ks[g].item(), largest=False).indices
            matching[idx, g] = 1.0
        many = matching.sum(1) > 1
        if many.sum() > 0:
            best = cost[many].argmin(1)
            matching[many] *= 0
            matching[many, best] = 1
        return matching * valid[:, None]
