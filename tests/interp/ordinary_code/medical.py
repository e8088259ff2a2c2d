"""Segmentation of volumes: losses, metrics, sliding windows, augmentation, evaluation."""
import abc
import csv
import enum
import io
import itertools
import json
import logging
import math
import os
import pickle
import warnings
from collections import defaultdict
from pathlib import Path
from typing import Any, Callable, List, Optional, Sequence, Tuple, Union

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.modules.loss import _Loss

LOGGER = logging.getLogger("medical")


class LossReduction(str, enum.Enum):
    NONE = "none"
    MEAN = "mean"
    SUM = "sum"


def ensure_tuple(x, n):
    if isinstance(x, (list, tuple)):
        assert len(x) == n, f"wants {n} values, got {len(x)}"
        return tuple(x)
    return (x,) * n


def one_hot(labels, num_classes=None, dim=1):
    if num_classes is None:
        num_classes = int(labels.max().item()) + 1
    shape = list(labels.shape)
    shape[dim] = num_classes
    return torch.zeros(shape, dtype=torch.float).scatter_(dim, labels.long(), 1)


class DiceLoss(_Loss):
    def __init__(self, background=True, to_onehot=False, sigmoid=False, softmax=False, squared=False,
                 reduction: Union[LossReduction, str] = LossReduction.MEAN, smooth=1e-5, batch=False):  # fmt: skip
        super().__init__(reduction=LossReduction(reduction).value)
        if int(sigmoid) + int(softmax) > 1:
            raise ValueError("sigmoid or softmax")
        self.background, self.to_onehot, self.sigmoid, self.softmax = background, to_onehot, sigmoid, softmax
        self.squared, self.smooth, self.batch = squared, smooth, batch

    def forward(self, pred, target):
        if self.sigmoid:
            pred = torch.sigmoid(pred)
        n = pred.shape[1]
        if self.softmax:
            if n == 1:
                warnings.warn("single channel prediction, `softmax=True` ignored.")
            else:
                pred = torch.softmax(pred, 1)
        if self.to_onehot:
            target = one_hot(target, n)
        if not self.background:
            pred, target = pred[:, 1:], target[:, 1:]
        if target.shape != pred.shape:
            raise AssertionError(f"ground truth has different shape ({target.shape}) from input ({pred.shape})")
        axes = torch.arange(2, len(pred.shape)).tolist()
        if self.batch:
            axes = [0] + axes
        inter = torch.sum(target * pred, dim=axes)
        if self.squared:
            target, pred = target**2, pred**2
        denominator = torch.sum(target, dim=axes) + torch.sum(pred, dim=axes)
        f = 1.0 - (2.0 * inter + self.smooth) / (denominator + self.smooth)
        if self.reduction == LossReduction.MEAN.value:
            return f.mean()
        if self.reduction == LossReduction.SUM.value:
            return f.sum()
        return f


class GeneralizedDice(_Loss):
    def __init__(self, kind="square"):
        super().__init__()
        self.w = {"square": lambda t: 1 / (t * t), "simple": torch.reciprocal, "uniform": torch.ones_like}[kind]

    def forward(self, pred, target):
        axes = list(range(2, pred.dim()))
        w = self.w(target.sum(axes).float())
        infs = torch.isinf(w)
        w[infs] = 0.0
        w = w + infs * w.max(1, keepdim=True)[0]
        num = 2 * (w * (pred * target).sum(axes)).sum(-1)
        den = (w * (pred + target).sum(axes)).sum(-1)
        return (1 - num / den.clamp(min=1e-5)).mean()


class Tversky(_Loss):
    def __init__(self, alpha=0.3, beta=0.7, gamma=None):
        super().__init__()
        self.alpha, self.beta, self.gamma = alpha, beta, gamma

    def forward(self, pred, target):
        p, g = pred.flatten(2), target.flatten(2)
        tp, fp, fn = (p * g).sum(-1), (p * (1 - g)).sum(-1), ((1 - p) * g).sum(-1)
        loss = 1 - (tp + 1) / (tp + self.alpha * fp + self.beta * fn + 1)
        if self.gamma:
            loss = loss**self.gamma
        return loss.mean()


class DiceCE(nn.Module):
    def __init__(self, weight: Optional[torch.Tensor] = None, ignore: Optional[int] = None):
        super().__init__()
        self.dice = DiceLoss(softmax=True, to_onehot=True)
        self.register_buffer("weight", weight)
        self.ignore = ignore

    def forward(self, pred, target):
        if self.ignore is not None:
            mask = (target != self.ignore).bool()
            if not mask.any():
                return pred.sum() * 0
            dice_target = torch.where(mask, target, 0)
            pred = pred * mask
        else:
            dice_target, mask = target, None
        ce = F.cross_entropy(pred, target[:, 0].long(), weight=self.weight, ignore_index=self.ignore or -100)
        return self.dice(pred, dice_target) + ce


class TopKCE(nn.CrossEntropyLoss):
    def __init__(self, k=10, **kw):
        super().__init__(reduction="none", **kw)
        self.k = k

    def forward(self, pred, target):
        res = super().forward(pred, target[:, 0].long()).view(-1)
        n = int(np.prod(res.shape, dtype=np.int64) * self.k / 100)
        return torch.topk(res, max(n, 1), sorted=False)[0].mean()


class DeepSupervision(nn.Module):
    def __init__(self, loss, weights=(1.0, 0.5)):
        super().__init__()
        self.loss = loss
        self.weights = weights

    def forward(self, *args):
        assert all(isinstance(i, (tuple, list)) for i in args)
        return sum(w * self.loss(*pair) for w, *pair in zip(self.weights, *args) if w != 0.0)


class HausdorffLoss(nn.Module):
    def __init__(self, alpha=2.0):
        super().__init__()
        self.alpha = alpha

    @torch.no_grad()
    def distance_field(self, img):
        field = torch.zeros_like(img)
        for b in range(len(img)):
            fg = img[b] > 0.5
            if fg.any():
                pos = torch.stack(torch.where(fg), -1).float()
                at = torch.stack(torch.meshgrid(*[torch.arange(s) for s in img[b].shape], indexing="ij"), -1)
                field[b] = torch.cdist(at.flatten(0, -2).float(), pos).amin(1).view_as(img[b])
        return field

    def forward(self, pred, target):
        dist = self.distance_field(pred) ** self.alpha + self.distance_field(target) ** self.alpha
        return ((pred - target) ** 2 * dist).mean()


class SoftSkeleton(nn.Module):
    def __init__(self, iters=2):
        super().__init__()
        self.iters = iters

    def erode(self, x):
        return torch.min(-F.max_pool2d(-x, (3, 1), 1, (1, 0)), -F.max_pool2d(-x, (1, 3), 1, (0, 1)))

    def open(self, x):
        return F.max_pool2d(self.erode(x), 3, 1, 1)

    def forward(self, x):
        skel = F.relu(x - self.open(x))
        for _ in range(self.iters):
            x = self.erode(x)
            delta = F.relu(x - self.open(x))
            skel = skel + F.relu(delta - skel * delta)
        return skel


class Hausdorff(nn.Module):
    def __init__(self, percentile: Optional[float] = None, directed=False):
        super().__init__()
        self.percentile, self.directed = percentile, directed

    def surface(self, mask):
        inner = -F.max_pool2d(-mask[None, None].float(), 3, 1, 1)[0, 0]
        return (mask.float() - inner).nonzero().float()

    def one_way(self, a, b):
        d = torch.cdist(a, b).min(1).values
        if d.shape == (0,):
            return torch.tensor(float("nan"))
        if not self.percentile:
            return d.max()
        return torch.quantile(d, self.percentile / 100)

    def forward(self, a, b):
        a, b = self.surface(a), self.surface(b)
        if len(a) == 0 or len(b) == 0:
            return torch.tensor(float("inf"))
        one = self.one_way(a, b)
        return one if self.directed else torch.maximum(one, self.one_way(b, a))


class CumulativeMetric(nn.Module, abc.ABC):
    def __init__(self):
        super().__init__()
        self.buffers_: List[torch.Tensor] = []

    @abc.abstractmethod
    def compute(self, pred, target): ...

    def aggregate(self):
        data = torch.cat(self.buffers_)
        not_nan = ~torch.isnan(data)
        return data[not_nan].mean() if not_nan.any() else torch.tensor(0.0)

    def reset(self):
        self.buffers_.clear()

    def forward(self, pred, target):
        value = self.compute(pred, target)
        self.buffers_.append(value)
        return value


class MeanDice(CumulativeMetric):
    def compute(self, pred, target):
        axes = tuple(range(2, pred.ndim))
        inter, total = (pred * target).sum(axes), target.sum(axes) + pred.sum(axes)
        return torch.where(total > 0, 2 * inter / total, torch.tensor(float("nan")))


class ReportedDice(MeanDice):
    def forward(self, pred, target):
        super().forward(pred, target)
        score = self.aggregate()
        LOGGER.info("dice %.3f", score)
        return score


class ConfusionMatrix(nn.Module):
    def __init__(self, n=3):
        super().__init__()
        self.n = n
        self.register_buffer("mat", torch.zeros(n, n, dtype=torch.long))

    def update(self, pred, target):
        k = (target >= 0) & (target < self.n)
        self.mat += torch.bincount(self.n * target[k] + pred[k], minlength=self.n**2).reshape(self.n, self.n)

    def forward(self, pred, target):
        self.update(pred.flatten(), target.flatten())
        h = self.mat.float()
        iu = h.diag() / (h.sum(1) + h.sum(0) - h.diag())
        return {"acc": (h.diag().sum() / h.sum()), "miou": iu[~iu.isnan()].mean(), "iou": iu.tolist()}


class NumpyConfusion(nn.Module):
    def __init__(self, n=3):
        super().__init__()
        self.n = n
        self.mat = np.zeros((n, n), dtype=np.int64)

    def forward(self, pred, target):
        for p, t in zip(pred.cpu().numpy().ravel(), target.cpu().numpy().ravel()):
            self.mat[t, p] += 1
        return float(np.diag(self.mat).sum() / self.mat.sum())


class AveragePrecision(nn.Module):
    def __init__(self, points: Optional[int] = None):
        super().__init__()
        self.points = points

    def forward(self, scores, labels):
        order = torch.argsort(scores, descending=True)
        tp = labels[order].float().cumsum(0)
        recall, precision = tp / tp[-1].clamp(min=1), tp / torch.arange(1, len(tp) + 1)
        if self.points is not None:
            ap = 0.0
            for r in torch.linspace(0, 1, self.points):
                above = precision[recall >= r]
                ap += above.max() if above.numel() else 0.0
            return ap / self.points
        for i in range(len(precision) - 1, 0, -1):
            precision[i - 1] = torch.max(precision[i - 1], precision[i])
        idx = torch.where(recall[1:] != recall[:-1])[0]
        return ((recall[idx + 1] - recall[idx]) * precision[idx + 1]).sum()


class MeanAP(nn.Module):
    def __init__(self, classes=3):
        super().__init__()
        self.ap = AveragePrecision()
        self.classes = classes

    def forward(self, scores, labels):
        per = {}
        for c in range(self.classes):
            y = labels == c
            if y.sum() == 0:
                continue
            per[f"ap_{c}"] = self.ap(scores[:, c], y)
        mean = sum(per.values()) / max(len(per), 1)
        return mean, {k: round(v.item(), 4) for k, v in per.items()}


class ROC(nn.Module):
    def forward(self, score, y):
        pos, neg = score[y == 1], score[y == 0]
        if pos.numel() and neg.numel():
            return (pos[:, None] > neg[None]).float().mean()
        return score.new_tensor(0.5)


class TopKAccuracy(nn.Module):
    def __init__(self, ks=(1, 2)):
        super().__init__()
        self.ks = ks

    def forward(self, output, target):
        with torch.no_grad():
            maxk = max(self.ks)
            _, pred = output.topk(maxk, 1, True, True)
            correct = pred.t().eq(target.view(1, -1).expand_as(pred.t()))
            return [correct[:k].reshape(-1).float().sum(0, keepdim=True).mul_(100.0 / len(target)) for k in self.ks]


class F1(nn.Module):
    def __init__(self, average="macro"):
        super().__init__()
        self.average = average

    def forward(self, pred, target):
        classes = torch.cat([pred, target]).unique()
        scores, support = [], []
        for c in classes:
            tp = ((pred == c) & (target == c)).sum()
            fp, fn = ((pred == c) & (target != c)).sum(), ((pred != c) & (target == c)).sum()
            scores.append(2 * tp / (2 * tp + fp + fn))
            support.append((target == c).sum())
        scores, support = torch.stack(scores), torch.stack(support).float()
        return scores.mean() if self.average == "macro" else (scores * support).sum() / support.sum()


class SlidingWindow(nn.Module):
    def __init__(self, net, roi=(4, 4), overlap=0.5, mode="gaussian"):
        super().__init__()
        self.net, self.roi, self.overlap, self.mode = net, ensure_tuple(roi, 2), overlap, mode

    def importance(self):
        if self.mode == "constant":
            return torch.ones(self.roi)
        w = torch.ones(1)
        for i, s in enumerate(self.roi):
            x = torch.arange(-(s - 1) / 2, (s - 1) / 2 + 1)
            g = torch.exp(x**2 / (-2 * (0.25 * s) ** 2))
            w = w.unsqueeze(-1) * g[(None,) * i] if i > 0 else g
        w[w == 0] = w[w != 0].min()
        return w

    def starts(self, size, roi):
        step = max(int(roi * (1 - self.overlap)), 1)
        n = math.ceil((size - roi) / step) + 1
        return [min(i * step, size - roi) for i in range(n)]

    def forward(self, x):
        weight = self.importance()
        out, norm = None, torch.zeros(x.shape[-2:])
        for i, j in itertools.product(*[self.starts(s, r) for s, r in zip(x.shape[-2:], self.roi)]):
            at = (slice(None), slice(None), slice(i, i + self.roi[0]), slice(j, j + self.roi[1]))
            y = self.net(x[at])
            if out is None:
                out = torch.zeros(x.shape[0], y.shape[1], *x.shape[-2:])
            out[at] += y * weight
            norm[i:i + self.roi[0], j:j + self.roi[1]] += weight
        return out / norm


class TestTime(nn.Module):
    def __init__(self, net, axes=(2, 3)):
        super().__init__()
        self.net, self.axes = net, axes

    def forward(self, x):
        combos = [c for i in range(len(self.axes)) for c in itertools.combinations(self.axes, i + 1)]
        out = self.net(x)
        for c in combos:
            out = out + torch.flip(self.net(torch.flip(x, c)), c)
        return out / (len(combos) + 1)


class Uncertainty(nn.Module):
    def __init__(self, net, n=3):
        super().__init__()
        self.net, self.n = net, n

    def enable_dropout(self):
        for m in self.modules():
            if m.__class__.__name__.startswith("Dropout"):
                m.train()

    def forward(self, x):
        self.enable_dropout()
        p = torch.stack([self.net(x).softmax(1) for _ in range(self.n)])
        mean = p.mean(0)
        return mean, -(mean * mean.clamp(min=1e-6).log()).sum(1)


class Transform(abc.ABC):
    prob = 0.5

    @abc.abstractmethod
    def __call__(self, data: dict) -> dict: ...


class RandFlip(Transform):
    def __init__(self, keys, axis=-1, prob=0.5):
        self.keys, self.axis, self.prob = keys, axis, prob
        self.R = np.random.RandomState()

    def __call__(self, data):
        if self.R.rand() < self.prob:
            data = {**data, **{k: data[k].flip(self.axis) for k in self.keys}}
        return data


class ScaleIntensity(Transform):
    def __init__(self, keys, low=1, high=99):
        self.keys, self.q = keys, (low / 100, high / 100)

    def __call__(self, data):
        out = dict(data)
        for k in self.keys:
            lo, hi = (torch.quantile(data[k], q) for q in self.q)
            if hi - lo < 1e-6:
                warnings.warn(f"{k} is constant")
                continue
            out[k] = ((data[k] - lo) / (hi - lo)).clamp(0, 1)
        return out


class GaussianNoise(Transform):
    def __init__(self, keys, std=0.1):
        self.keys, self.std = keys, std

    def __call__(self, data):
        return {k: v + torch.randn_like(v) * self.std if k in self.keys else v for k, v in data.items()}


class CropForeground(Transform):
    def __init__(self, source="image", keys=("image", "label"), margin=0):
        self.source, self.keys, self.margin = source, keys, margin

    def box(self, img):
        ys, xs = torch.where(img[0] > 0)
        if ys.numel() == 0:
            return 0, img.shape[1], 0, img.shape[2]
        return ys.min().item(), ys.max().item() + 1, xs.min().item(), xs.max().item() + 1

    def __call__(self, data):
        y0, y1, x0, x1 = self.box(data[self.source])
        return {**data, **{k: data[k][:, y0:y1, x0:x1] for k in self.keys}}


class Pipeline(nn.Module):
    def __init__(self, transforms: Sequence[Callable[[dict], dict]], log=False):
        super().__init__()
        self.transforms = transforms
        self.log = log

    def forward(self, data: dict):
        for t in self.transforms:
            data = t(data)
            if self.log:
                LOGGER.debug("%s gave %s", type(t).__name__, sorted(data))
        return data


class LargestComponent(nn.Module):
    def forward(self, mask):
        labels = torch.arange(1, mask.numel() + 1).view_as(mask) * mask
        while True:
            grown = F.max_pool2d(labels[None, None].float(), 3, 1, 1)[0, 0].long() * mask
            if torch.equal(grown, labels):
                break
            labels = grown
        ids, counts = labels[labels > 0].unique(return_counts=True)
        return (labels == ids[counts.argmax()]) & mask.bool()


class PostProcess(nn.Module):
    def __init__(self, threshold: Union[float, Tuple[float, ...]] = 0.5, min_size=2):
        super().__init__()
        self.threshold, self.min_size = threshold, min_size

    def forward(self, logits):
        prob = logits.sigmoid()
        t = torch.tensor(self.threshold).view(1, -1, 1, 1) if isinstance(self.threshold, tuple) else self.threshold
        mask = (prob > t).to(torch.uint8)
        small = mask.flatten(2).sum(-1) < self.min_size
        mask[small] = 0
        return mask


class CaseReport(nn.Module):
    """Scores of every case, as rows of a table."""

    def __init__(self, metrics, folder: Optional[Union[str, Path]] = None):
        super().__init__()
        self.metrics = nn.ModuleDict(metrics)
        self.folder = Path(folder) if folder else None
        self.rows: List[dict[str, Any]] = []

    def forward(self, pred, target, name="case"):
        row = {"name": name, **{k: m(pred, target) for k, m in self.metrics.items()}}
        self.rows.append(row)
        if self.folder:
            (self.folder / f"{name}.json").write_text(json.dumps({k: str(v) for k, v in row.items()}))
        return row

    def table(self):
        f = io.StringIO()
        csv.DictWriter(f, self.rows[0]).writerows(self.rows)
        return f.getvalue()


class CachedTargets(nn.Module):
    def __init__(self, path):
        super().__init__()
        self.path = path
        self.lin = nn.Linear(4, 4)

    def forward(self, x):
        if os.path.exists(self.path):
            with open(self.path, "rb") as f:
                target = torch.tensor(pickle.load(f))
        else:
            target = torch.zeros(4)
        return F.mse_loss(self.lin(x), target.expand(len(x), 4))


class ClassWeights(nn.Module):
    def __init__(self, n=3, momentum=0.9):
        super().__init__()
        self.n, self.m = n, momentum
        self.register_buffer("freq", torch.ones(n))
        self.counts = defaultdict(int)

    def forward(self, logits, y):
        if self.training:
            for c, k in zip(*y.unique(return_counts=True)):
                self.counts[c.item()] += int(k)
            hist = torch.histc(y.float(), bins=self.n, min=0, max=self.n - 1)
            self.freq = self.m * self.freq + (1 - self.m) * hist
        return F.cross_entropy(logits, y, weight=self.freq.sum() / (self.n * self.freq))


class CoxLoss(nn.Module):
    def forward(self, risk, time, event):
        order = time.argsort(descending=True)
        risk, event = risk[order], event[order]
        logcum = torch.logcumsumexp(risk, 0)
        n = event.sum()
        if n == 0:
            return risk.sum() * 0.0
        return -((risk - logcum) * event).sum() / n


class Concordance(nn.Module):
    def forward(self, risk, time, event):
        good = total = 0
        for i in range(len(time)):
            for j in range(len(time)):
                if event[i] and time[i] < time[j]:
                    total += 1
                    good += float(risk[i] > risk[j])
        return good / total if total else 0.5
