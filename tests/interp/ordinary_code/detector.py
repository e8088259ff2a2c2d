"""Single-stage detector."""
import math
import logging
from dataclasses import dataclass, field
from typing import Dict, List, Optional, Tuple

import torch
import torch.nn as nn
import torch.nn.functional as F

logger = logging.getLogger(__name__)


@dataclass
class DetectorConfig:
    num_classes: int = 3
    strides: Tuple[int, ...] = (8, 16)
    topk: int = 10
    score_thresh: float = 0.05
    nms_thresh: float = 0.5
    use_centerness: bool = True


def box_iou(a, b):
    area_a = (a[:, 2] - a[:, 0]) * (a[:, 3] - a[:, 1])
    area_b = (b[:, 2] - b[:, 0]) * (b[:, 3] - b[:, 1])
    lt = torch.max(a[:, None, :2], b[:, :2])
    rb = torch.min(a[:, None, 2:], b[:, 2:])
    wh = (rb - lt).clamp(min=0)
    inter = wh[:, :, 0] * wh[:, :, 1]
    return inter / (area_a[:, None] + area_b - inter + 1e-6)


def nms(boxes, scores, thresh):
    order = scores.argsort(descending=True)
    keep = []
    while order.numel() > 0:
        i = order[0]
        keep.append(i)
        if order.numel() == 1:
            break
        iou = box_iou(boxes[i].unsqueeze(0), boxes[order[1:]])[0]
        order = order[1:][iou <= thresh]
    return torch.stack(keep)


class AnchorPoints(nn.Module):
    def __init__(self, strides):
        super().__init__()
        self.strides = strides
        self._cache = {}

    def forward(self, feats):
        points = []
        for feat, stride in zip(feats, self.strides):
            h, w = feat.shape[-2:]
            key = (h, w, stride)
            if key not in self._cache:
                ys, xs = torch.meshgrid(torch.arange(h), torch.arange(w), indexing="ij")
                self._cache[key] = torch.stack([xs, ys], -1).reshape(-1, 2).float() * stride
            points.append(self._cache[key].to(feat.device))
        return torch.cat(points)


class FocalLoss(nn.Module):
    def __init__(self, alpha=0.25, gamma=2.0, reduction="mean"):
        super().__init__()
        self.alpha, self.gamma, self.reduction = alpha, gamma, reduction

    def forward(self, logits, targets):
        ce = F.binary_cross_entropy_with_logits(logits, targets, reduction="none")
        p = torch.sigmoid(logits)
        p_t = p * targets + (1 - p) * (1 - targets)
        loss = ce * (1 - p_t) ** self.gamma
        if self.alpha >= 0:
            loss = loss * (self.alpha * targets + (1 - self.alpha) * (1 - targets))
        num_pos = max(1, int((targets > 0).sum()))
        if self.reduction == "mean":
            return loss.sum() / num_pos
        return loss


class Head(nn.Module):
    def __init__(self, cin, cfg: DetectorConfig):
        super().__init__()
        self.cfg = cfg
        self.tower = nn.Sequential(nn.Conv2d(cin, cin, 3, padding=1), nn.GroupNorm(4, cin), nn.ReLU())
        self.cls = nn.Conv2d(cin, cfg.num_classes, 3, padding=1)
        self.reg = nn.Conv2d(cin, 4, 3, padding=1)
        self.ctr = nn.Conv2d(cin, 1, 3, padding=1) if cfg.use_centerness else None
        self.scales = nn.ParameterList([nn.Parameter(torch.ones(1)) for _ in cfg.strides])
        prior = 0.01
        nn.init.constant_(self.cls.bias, -math.log((1 - prior) / prior))

    def forward(self, feats):
        cls, reg, ctr = [], [], []
        for level, x in enumerate(feats):
            t = self.tower(x)
            cls.append(self.cls(t).flatten(2).transpose(1, 2))
            reg.append(F.relu(self.reg(t) * self.scales[level]).flatten(2).transpose(1, 2))
            if self.ctr is not None:
                ctr.append(self.ctr(t).flatten(2).transpose(1, 2))
        return torch.cat(cls, 1), torch.cat(reg, 1), torch.cat(ctr, 1) if ctr else None


class Detector(nn.Module):
    def __init__(self, cfg: Optional[DetectorConfig] = None):
        super().__init__()
        self.cfg = cfg or DetectorConfig()
        self.stem = nn.Sequential(nn.Conv2d(3, 16, 7, 4, 3), nn.ReLU(), nn.Conv2d(16, 16, 3, 2, 1))
        self.down = nn.Conv2d(16, 16, 3, 2, 1)
        self.points = AnchorPoints(self.cfg.strides)
        self.head = Head(16, self.cfg)
        self.loss = FocalLoss()
        self.register_buffer("steps", torch.zeros((), dtype=torch.long))

    def forward(self, images, targets: Optional[List[Dict[str, torch.Tensor]]] = None):
        f1 = self.stem(images)
        feats = [f1, self.down(f1)]
        cls, reg, ctr = self.head(feats)
        points = self.points(feats)
        if targets is not None:
            self.steps += 1
            if self.steps % 100 == 0:
                logger.info("step %d", self.steps)
            return self.losses(points, cls, reg, targets)
        return self.postprocess(points, cls.sigmoid(), reg, ctr)

    def losses(self, points, cls, reg, targets):
        labels = torch.zeros_like(cls)
        losses = {"cls": 0.0, "reg": 0.0}
        for b, target in enumerate(targets):
            boxes, ids = target["boxes"], target["labels"]
            if boxes.numel() == 0:
                continue
            inside = (points[:, None, 0] > boxes[:, 0]) & (points[:, None, 0] < boxes[:, 2])
            matched, which = inside.max(1)
            pos = matched.nonzero().squeeze(1)
            labels[b, pos, ids[which[pos]]] = 1.0
            if len(pos) > 0:
                losses["reg"] = losses["reg"] + F.l1_loss(reg[b, pos], boxes[which[pos]])
        losses["cls"] = self.loss(cls, labels)
        return losses

    @torch.no_grad()
    def postprocess(self, points, scores, reg, ctr):
        results = []
        for b in range(scores.shape[0]):
            s = scores[b]
            if ctr is not None:
                s = (s * ctr[b].sigmoid()).sqrt()
            conf, label = s.max(-1)
            keep = conf > self.cfg.score_thresh
            if not keep.any():
                results.append({"boxes": reg.new_zeros(0, 4), "scores": conf.new_zeros(0)})
                continue
            conf, label, pts, r = conf[keep], label[keep], points[keep], reg[b][keep]
            k = min(self.cfg.topk, conf.shape[0])
            conf, idx = conf.topk(k)
            boxes = torch.cat([pts[idx] - r[idx][:, :2], pts[idx] + r[idx][:, 2:]], -1)
            kept = nms(boxes, conf, self.cfg.nms_thresh)
            results.append({"boxes": boxes[kept], "scores": conf[kept], "labels": label[idx][kept]})
        return results
