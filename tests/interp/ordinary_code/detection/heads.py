"""Anchors, heads, losses and what is done after."""
import math
from collections import OrderedDict
from typing import Dict, List, NamedTuple, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .assign import Balanced, MaxIoU, Target
from .boxes import batched_nms, encode, soft_nms, to_xyxy


class Detections(NamedTuple):
    boxes: Tensor
    scores: Tensor
    labels: Tensor


class Anchors(nn.Module):
    def __init__(self, sizes=(8, 16), ratios=(0.5, 1.0), strides=(4, 8)):
        super().__init__()
        self.strides = strides
        for i, size in enumerate(sizes):
            self.register_buffer(f"cell_{i}", self.make(size, ratios), persistent=False)
        self.cache = {}

    @staticmethod
    def make(size, ratios):
        h = size * torch.tensor(ratios).sqrt()
        w = size / torch.tensor(ratios).sqrt()
        return torch.stack([-w, -h, w, h], 1) / 2

    def level(self, i, shape):
        key = (i, tuple(shape))
        if key not in self.cache:
            cell = getattr(self, f"cell_{i}")
            ys = torch.arange(shape[0]) * self.strides[i]
            xs = torch.arange(shape[1]) * self.strides[i]
            y, x = torch.meshgrid(ys, xs, indexing="ij")
            shift = torch.stack([x, y, x, y], -1).reshape(-1, 1, 4)
            self.cache[key] = (shift + cell).reshape(-1, 4)
        return self.cache[key]

    def forward(self, features: List[Tensor]) -> List[Tensor]:
        return [self.level(i, f.shape[-2:]) for i, f in enumerate(features)]


class RetinaHead(nn.Module):
    def __init__(self, ch=8, classes=3, anchors=2, prior=0.01):
        super().__init__()
        self.classes = classes
        self.cls = nn.Conv2d(ch, anchors * classes, 3, padding=1)
        self.box = nn.Conv2d(ch, anchors * 4, 3, padding=1)
        nn.init.constant_(self.cls.bias, -math.log((1 - prior) / prior))
        self.assign = MaxIoU()

    def flat(self, x, n):
        b = x.shape[0]
        return x.permute(0, 2, 3, 1).reshape(b, -1, n)

    def forward(self, features):
        logits = torch.cat([self.flat(self.cls(f), self.classes) for f in features], 1)
        deltas = torch.cat([self.flat(self.box(f), 4) for f in features], 1)
        return OrderedDict(logits=logits, deltas=deltas)

    def losses(self, out: Dict[str, Tensor], anchors: Tensor, targets: List[Target]):
        cls_losses, box_losses = [], []
        for logits, deltas, target in zip(out["logits"], out["deltas"], targets):
            match = self.assign(anchors, target)
            fg = match >= 0
            n = max(1, fg.sum().item())
            onehot = torch.zeros_like(logits)
            onehot[fg, target.labels[match[fg]]] = 1.0
            used = match != -2
            cls_losses.append(focal(logits[used], onehot[used]) / n)
            want = encode(target.boxes[match[fg]], anchors[fg])
            box_losses.append(F.smooth_l1_loss(deltas[fg], want, beta=0.1, reduction="sum") / n)
        return {"cls": torch.stack(cls_losses).mean(), "box": torch.stack(box_losses).mean()}


def focal(logits, target, alpha=0.25, gamma=2.0):
    p = logits.sigmoid()
    ce = F.binary_cross_entropy_with_logits(logits, target, reduction="none")
    pt = p * target + (1 - p) * (1 - target)
    return (ce * (1 - pt) ** gamma * (alpha * target + (1 - alpha) * (1 - target))).sum()


class Detector(nn.Module):
    """Backbone, anchors and head: losses in training, detections otherwise."""

    def __init__(self, ch=8, classes=3, score=0.05, keep=5):
        super().__init__()
        self.stem = nn.Conv2d(3, ch, 3, stride=4, padding=1)
        self.down = nn.Conv2d(ch, ch, 3, stride=2, padding=1)
        self.anchors = Anchors()
        self.head = RetinaHead(ch, classes)
        self.score, self.keep = score, keep
        self._has_warned = False

    def forward(self, images: Tensor, targets: List[Target] = None):
        if self.training:
            assert targets is not None
            for i, t in enumerate(targets):
                degenerate = t.boxes[:, 2:] <= t.boxes[:, :2]
                if degenerate.any():
                    raise ValueError(f"target {i} has boxes without an area")
        c1 = F.relu(self.stem(images))
        c2 = F.relu(self.down(c1))
        features = [c1, c2]
        anchors = torch.cat(self.anchors(features))
        out = self.head(features)
        if self.training:
            return self.head.losses(out, anchors, targets)
        return self.detect(out, anchors, images.shape[-2:])

    def detect(self, out, anchors, size: Tuple[int, int]) -> List[Detections]:
        results = []
        for logits, deltas in zip(out["logits"], out["deltas"]):
            scores, labels = logits.sigmoid().max(-1)
            mask = scores > self.score
            boxes = (anchors + deltas)[mask]
            scores, labels = scores[mask], labels[mask]
            k = min(self.keep * 4, len(scores))
            scores, idx = scores.topk(k)
            boxes, labels = boxes[idx], labels[idx]
            boxes[:, 0::2].clamp_(0, size[1])
            boxes[:, 1::2].clamp_(0, size[0])
            keep = batched_nms(boxes, scores, labels)[: self.keep]
            results.append(Detections(boxes[keep], scores[keep], labels[keep]))
        return results


class RoIHead(nn.Module):
    def __init__(self, dim=16, classes=3):
        super().__init__()
        self.fc = nn.Linear(dim, dim)
        self.cls = nn.Linear(dim, classes + 1)
        self.assign = MaxIoU(0.5, 0.5, allow_low_quality=False)
        self.sampler = Balanced(8, 0.25)

    def sample(self, proposals, target):
        match = self.assign(proposals, target)
        pos, neg = self.sampler(match)
        idx = torch.cat([pos, neg])
        labels = torch.full((len(idx),), 0)
        labels[: len(pos)] = target.labels[match[pos]] + 1
        return idx, labels

    def forward(self, feats, proposals, target=None):
        x = F.relu(self.fc(feats))
        logits = self.cls(x)
        if target is None:
            return logits.softmax(-1)
        idx, labels = self.sample(proposals, target)
        return F.cross_entropy(logits[idx], labels)


class CenterHead(nn.Module):
    def __init__(self, ch=8, classes=2, k=4):
        super().__init__()
        self.heat = nn.Conv2d(ch, classes, 1)
        self.size = nn.Conv2d(ch, 2, 1)
        self.k = k

    def peaks(self, heat):
        pooled = F.max_pool2d(heat, 3, stride=1, padding=1)
        heat = heat * (pooled == heat)
        b, c, h, w = heat.shape
        scores, idx = heat.view(b, -1).topk(self.k)
        labels = idx // (h * w)
        idx = idx % (h * w)
        return scores, labels, idx // w, idx % w

    def forward(self, x):
        heat = self.heat(x).sigmoid()
        scores, labels, ys, xs = self.peaks(heat)
        size = self.size(x).flatten(2).gather(2, (ys * x.shape[-1] + xs)[:, None].expand(-1, 2, -1))
        boxes = to_xyxy(torch.cat([torch.stack([xs, ys], -1).float(), size.transpose(1, 2)], -1))
        return [Detections(b, s, l) for b, s, l in zip(boxes, scores, labels)]


class Softened(nn.Module):
    def __init__(self, sigma=0.5):
        super().__init__()
        self.sigma = sigma

    def forward(self, boxes, scores):
        picked = soft_nms(boxes, scores, self.sigma)
        return boxes[picked], scores[picked]


class GaussianTargets(nn.Module):
    """Draws a peak for every box."""

    def __init__(self, size=8, classes=2, overlap=0.7):
        super().__init__()
        self.size, self.classes, self.overlap = size, classes, overlap

    def radius(self, w, h):
        return max(0, int(min(w, h) * (1 - self.overlap) / 2))

    def forward(self, target: Target):
        heat = torch.zeros(self.classes, self.size, self.size)
        for box, label in zip(target.boxes, target.labels):
            w, h = box[2] - box[0], box[3] - box[1]
            r = self.radius(w, h)
            cx, cy = ((box[:2] + box[2:]) / 2).int().tolist()
            for y in range(max(0, cy - r), min(self.size, cy + r + 1)):
                for x in range(max(0, cx - r), min(self.size, cx + r + 1)):
                    g = math.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (2 * (r / 3 + 1e-3) ** 2))
                    heat[label, y, x] = max(heat[label, y, x], g)
        return heat
