"""Forecasting of series: windows, decomposition, spectra, quantiles."""
import datetime as dt
import math
import typing as t
from bisect import bisect_right
from functools import lru_cache, singledispatch, wraps

import numpy as np
import torch
import torch.fft
import torch.nn as nn
import torch.nn.functional as F


def check_shape(*dims):
    def wrap(fn):
        @wraps(fn)
        def inner(self, x, *args, **kwargs):
            if x.ndim not in dims:
                raise ValueError(f"{type(self).__name__} wants {dims} dimensions, not {x.ndim}")
            return fn(self, x, *args, **kwargs)

        return inner

    return wrap


class RevIN(nn.Module):
    def __init__(self, n=3, eps=1e-5, affine=True, subtract_last=False):
        super().__init__()
        self.eps, self.affine, self.subtract_last = eps, affine, subtract_last
        if affine:
            self.weight, self.bias = nn.Parameter(torch.ones(n)), nn.Parameter(torch.zeros(n))

    def forward(self, x, mode):
        if mode == "norm":
            self._stats(x)
            return self._norm(x)
        elif mode == "denorm":
            return self._denorm(x)
        raise NotImplementedError(mode)

    def _stats(self, x):
        dims = tuple(range(1, x.ndim - 1))
        if self.subtract_last:
            self.last = x[:, -1:]
        else:
            self.mean = x.mean(dim=dims, keepdim=True).detach()
        self.std = torch.sqrt(x.var(dim=dims, keepdim=True, unbiased=False) + self.eps).detach()

    def _norm(self, x):
        x = (x - (self.last if self.subtract_last else self.mean)) / self.std
        return x * self.weight + self.bias if self.affine else x

    def _denorm(self, x):
        if self.affine:
            x = (x - self.bias) / (self.weight + self.eps**2)
        return x * self.std + (self.last if self.subtract_last else self.mean)


class MovingAverage(nn.Module):
    def __init__(self, kernel=5):
        super().__init__()
        self.kernel = kernel
        self.avg = nn.AvgPool1d(kernel, 1)

    def forward(self, x):
        front = x[:, :1].repeat(1, (self.kernel - 1) // 2, 1)
        end = x[:, -1:].repeat(1, (self.kernel - 1) // 2, 1)
        return self.avg(torch.cat([front, x, end], 1).transpose(1, 2)).transpose(1, 2)


class Decomposition(nn.Module):
    def __init__(self, kernels=(3, 5)):
        super().__init__()
        self.avgs = nn.ModuleList(MovingAverage(k) for k in kernels)
        self.mix = nn.Linear(1, len(kernels))

    def forward(self, x):
        means = torch.stack([a(x) for a in self.avgs], -1)
        trend = (means * self.mix(x.unsqueeze(-1)).softmax(-1)).sum(-1)
        return x - trend, trend


class DLinear(nn.Module):
    def __init__(self, length=12, horizon=4, n=3, individual=True):
        super().__init__()
        self.decompose = Decomposition()
        self.individual, self.horizon = individual, horizon
        make = lambda: nn.Linear(length, horizon)  # noqa: E731
        self.season = nn.ModuleList(make() for _ in range(n)) if individual else make()
        self.trend = make()
        self.revin = RevIN(n)

    def forward(self, x):
        x = self.revin(x, "norm")
        s, tr = (p.permute(0, 2, 1) for p in self.decompose(x))
        if self.individual:
            out = torch.zeros(s.size(0), s.size(1), self.horizon, dtype=s.dtype)
            for i in range(s.size(1)):
                out[:, i] = self.season[i](s[:, i])
        else:
            out = self.season(s)
        return self.revin((out + self.trend(tr)).permute(0, 2, 1), "denorm")


def find_periods(x, k=2):
    spec = torch.fft.rfft(x, dim=1)
    freq = spec.abs().mean(0).mean(-1)
    freq[0] = 0
    _, top = torch.topk(freq, k)
    top = top.detach().cpu().numpy()
    return x.shape[1] // top, spec.abs().mean(-1)[:, top]


class TimesBlock(nn.Module):
    def __init__(self, n=3, k=2):
        super().__init__()
        self.conv = nn.Conv2d(n, n, 3, padding=1)
        self.k = k

    def forward(self, x):
        b, length, n = x.shape
        periods, weights = find_periods(x, self.k)
        res = []
        for i in range(self.k):
            p = periods[i]
            if length % p:
                size = (length // p + 1) * p
                y = torch.cat([x, torch.zeros(b, size - length, n)], 1)
            else:
                size, y = length, x
            y = y.reshape(b, size // p, p, n).permute(0, 3, 1, 2).contiguous()
            res.append(self.conv(y).permute(0, 2, 3, 1).reshape(b, -1, n)[:, :length])
        w = weights.softmax(1)[:, None, None].repeat(1, length, n, 1)
        return (torch.stack(res, -1) * w).sum(-1) + x


class AutoCorrelation(nn.Module):
    def __init__(self, factor=1.0):
        super().__init__()
        self.factor = factor

    def delays(self, values, corr):
        k = int(self.factor * math.log(values.shape[1]))
        mean = corr.mean(-1)
        if self.training:
            index = torch.topk(mean.mean(0), k)[1]
            weights = torch.stack([mean[:, index[i]] for i in range(k)], -1).softmax(-1)
            return sum(torch.roll(values, -int(index[i]), 1) * weights[:, i, None, None] for i in range(k))
        weights, delay = torch.topk(mean, k)
        init = torch.arange(values.shape[1])[None, :, None]
        doubled = values.repeat(1, 2, 1)
        out = torch.zeros_like(values)
        for i in range(k):
            at = (init + delay[:, i, None, None]).expand_as(values)
            out = out + doubled.gather(1, at) * weights.softmax(-1)[:, i, None, None]
        return out

    def forward(self, q, k, v):
        res = torch.fft.rfft(q, dim=1) * torch.conj(torch.fft.rfft(k, dim=1))
        return self.delays(v, torch.fft.irfft(res, n=q.shape[1], dim=1))


class FourierBlock(nn.Module):
    def __init__(self, n=3, length=12, modes=4, method="random"):
        super().__init__()
        index = list(range(length // 2))
        if method == "random":
            np.random.shuffle(index)
        self.index = sorted(index[:modes])
        self.w = nn.Parameter(torch.rand(len(self.index), n, n, dtype=torch.cfloat))

    def forward(self, x):
        spec = torch.fft.rfft(x, dim=1)
        out = torch.zeros_like(spec)
        for place, i in enumerate(self.index):
            if i >= spec.shape[1]:
                continue
            out[:, place] = torch.einsum("bi,io->bo", spec[:, i], self.w[place])
        return torch.fft.irfft(out, n=x.size(1), dim=1)


class Patches(nn.Module):
    def __init__(self, size=4, stride=2, dim=8):
        super().__init__()
        self.size, self.stride = size, stride
        self.pad = nn.ReplicationPad1d((0, stride))
        self.proj = nn.Linear(size, dim)

    @check_shape(3)
    def forward(self, x):
        x = self.pad(x.transpose(1, 2)).unfold(-1, self.size, self.stride)
        return self.proj(x).flatten(0, 1), x.shape[1]


class ProbSparse(nn.Module):
    def __init__(self, factor=2):
        super().__init__()
        self.factor = factor

    def forward(self, q, k, v):
        b, n, d = q.shape
        u = self.factor * np.ceil(np.log(n)).astype("int").item()
        u = u if u < n else n
        sample = torch.randint(n, (n, u))
        part = torch.matmul(q.unsqueeze(-2), k[:, sample].transpose(-2, -1)).squeeze(-2)
        measure = part.max(-1)[0] - part.sum(-1) / n
        top = measure.topk(u, sorted=False)[1]
        rows = torch.arange(b)[:, None]
        scores = torch.matmul(q[rows, top], k.transpose(-2, -1)) / math.sqrt(d)
        context = v.mean(1, keepdim=True).expand(b, n, d).clone()
        context[rows, top, :] = scores.softmax(-1) @ v
        return context


class Seq2Seq(nn.Module):
    def __init__(self, n=3, hidden=8, horizon=4, teacher=0.5):
        super().__init__()
        self.enc = nn.LSTM(n, hidden, 2, batch_first=True)
        self.dec = nn.LSTMCell(n, hidden)
        self.out = nn.Linear(hidden, n)
        self.horizon, self.teacher = horizon, teacher

    def forward(self, x, y=None):
        _, (h, c) = self.enc(x)
        h, c = h[-1], c[-1]
        last, preds = x[:, -1], []
        for step in range(self.horizon):
            h, c = self.dec(last, (h, c))
            pred = self.out(h)
            preds.append(pred)
            forced = y is not None and np.random.random() < self.teacher
            last = y[:, step] if forced else pred
        return torch.stack(preds, 1)


class DeepAR(nn.Module):
    def __init__(self, hidden=8, samples=3, kind="student"):
        super().__init__()
        self.cell = nn.GRUCell(1, hidden)
        self.mu, self.sigma = nn.Linear(hidden, 1), nn.Linear(hidden, 1)
        self.samples, self.kind = samples, kind

    def dist(self, h):
        mu, sigma = self.mu(h).squeeze(-1), F.softplus(self.sigma(h)).squeeze(-1) + 1e-3
        if self.kind == "student":
            return torch.distributions.StudentT(torch.full_like(mu, 4.0), mu, sigma)
        if self.kind == "negative":
            return torch.distributions.NegativeBinomial(total_count=sigma, logits=mu)
        return torch.distributions.Normal(mu, sigma)

    def forward(self, x, horizon: int = 2):
        scale = x.abs().mean(1, keepdim=True).clamp(min=1e-3)
        h = torch.zeros(len(x), self.cell.hidden_size)
        nll = 0.0
        for now, nxt in zip(x.unbind(1)[:-1], x.unbind(1)[1:]):
            h = self.cell((now / scale[:, 0])[:, None], h)
            nll = nll - self.dist(h).log_prob(nxt / scale[:, 0])
        if self.training:
            return nll.mean()
        paths = []
        for _ in range(self.samples):
            g, last, path = h, x[:, -1] / scale[:, 0], []
            for _ in range(horizon):
                g = self.cell(last[:, None], g)
                last = self.dist(g).sample()
                path.append(last)
            paths.append(torch.stack(path, 1))
        return torch.stack(paths).quantile(0.5, dim=0) * scale


class Quantile(nn.Module):
    def __init__(self, quantiles=(0.1, 0.5, 0.9)):
        super().__init__()
        self.quantiles = quantiles

    def forward(self, pred, y):
        losses = []
        for i, q in enumerate(self.quantiles):
            err = y - pred[..., i]
            losses.append(torch.max((q - 1) * err, q * err).unsqueeze(-1))
        return torch.cat(losses, -1).sum(-1).mean()


class MASE(nn.Module):
    def __init__(self, season=2):
        super().__init__()
        self.season = season

    def forward(self, pred, y, past):
        scale = (past[:, self.season:] - past[:, : -self.season]).abs().mean(1)
        good = scale > 0
        if not torch.all(good):
            pred, y, scale = pred[good], y[good], scale[good]
        return ((pred - y).abs().mean(1) / scale).mean()


class SMAPE(nn.Module):
    def forward(self, pred, y):
        ratio = 2 * (pred - y).abs() / (pred.abs() + y.abs())
        ratio[torch.isnan(ratio)] = 0.0
        return ratio.mean() * 100


class SoftDTW(nn.Module):
    def __init__(self, gamma=0.1):
        super().__init__()
        self.gamma = gamma

    def forward(self, a, b):
        d = torch.cdist(a[None], b[None])[0]
        n, m = d.shape
        r = torch.full((n + 1, m + 1), 1e6)
        r[0, 0] = 0
        for i in range(1, n + 1):
            for j in range(1, m + 1):
                near = torch.stack([r[i - 1, j - 1], r[i - 1, j], r[i, j - 1]])
                r[i, j] = d[i - 1, j - 1] - self.gamma * torch.logsumexp(-near / self.gamma, 0)
        return r[n, m]


class HardDTW(nn.Module):
    def forward(self, a, b):
        cost = np.abs(a.numpy()[:, None] - b.numpy()[None])
        acc = np.full((len(a) + 1, len(b) + 1), np.inf)
        acc[0, 0] = 0
        for i in range(len(a)):
            for j in range(len(b)):
                acc[i + 1, j + 1] = cost[i, j] + min(acc[i, j], acc[i, j + 1], acc[i + 1, j])
        return torch.tensor(acc[-1, -1])


class TimeFeatures(nn.Module):
    """Embeds dates."""

    def __init__(self, dim=4):
        super().__init__()
        self.month, self.weekday = nn.Embedding(13, dim), nn.Embedding(7, dim)

    def forward(self, stamps: t.List[dt.datetime]):
        month = torch.tensor([s.month for s in stamps])
        weekday = torch.tensor([s.weekday() for s in stamps])
        return self.month(month) + self.weekday(weekday)


class NumericTime(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.hour, self.day = nn.Embedding(24, dim), nn.Embedding(32, dim)

    def forward(self, x):
        x = x.long()
        return self.hour(x[:, :, 0]) + self.day(x[:, :, 1])


@lru_cache(maxsize=None)
def window_starts(length, size, stride):
    return tuple(range(0, length - size + 1, stride))


class Windows(nn.Module):
    def __init__(self, size=4, stride=2):
        super().__init__()
        self.size, self.stride = size, stride

    def forward(self, x):
        starts = window_starts(x.shape[1], self.size, self.stride)
        return torch.stack([x[:, s:s + self.size] for s in starts], 1)


class ReservoirImputer(nn.Module):
    def __init__(self, n=3):
        super().__init__()
        self.fill = nn.Parameter(torch.zeros(n))

    def forward(self, x):
        missing = torch.isnan(x)
        if missing.any():
            x = torch.where(missing, self.fill.expand_as(x), x)
        last = x[:, 0]
        out = []
        for i in range(x.shape[1]):
            last = torch.where(missing[:, i], last, x[:, i])
            out.append(last)
        return torch.stack(out, 1)


class Interpolate(nn.Module):
    def __init__(self, grid=5):
        super().__init__()
        self.grid = grid

    def forward(self, times, values):
        query = torch.linspace(float(times[0]), float(times[-1]), self.grid)
        right = torch.searchsorted(times, query).clamp(1, len(times) - 1)
        left = right - 1
        w = (query - times[left]) / (times[right] - times[left])
        return values[left] * (1 - w) + values[right] * w


class Changepoints(nn.Module):
    def __init__(self, points=(2.0, 5.0)):
        super().__init__()
        self.points = list(points)
        self.rate = nn.Parameter(torch.zeros(len(points) + 1))

    def forward(self, times):
        segment = [bisect_right(self.points, t) for t in times]
        return self.rate[segment] * times


class HankelSSA(nn.Module):
    def __init__(self, window=4, rank=None):
        super().__init__()
        self.window, self.rank = window, rank

    def forward(self, x):
        traj = x.unfold(0, self.window, 1)
        u, s, v = torch.svd(traj)
        rank = self.rank
        if rank is None:
            rank = int((s.cumsum(0) / s.sum() < 0.9).sum()) + 1
        low = (u[:, :rank] * s[:rank]) @ v[:, :rank].T
        out = torch.zeros_like(x)
        count = torch.zeros_like(x)
        for i in range(low.shape[0]):
            out[i:i + self.window] += low[i]
            count[i:i + self.window] += 1
        return out / count


class ESRNN(nn.Module):
    """Holt's smoothing by hand."""

    def __init__(self, season=3):
        super().__init__()
        self.alpha, self.gamma = nn.Parameter(torch.tensor(0.0)), nn.Parameter(torch.tensor(0.0))
        self.init = nn.Parameter(torch.ones(season))

    def forward(self, y):
        alpha, gamma = self.alpha.sigmoid(), self.gamma.sigmoid()
        seasons = [s for s in self.init]
        level = [y[0] / seasons[0]]
        for i in range(1, len(y)):
            new = alpha * (y[i] / seasons[i]) + (1 - alpha) * level[-1]
            level.append(new)
            seasons.append(gamma * (y[i] / new) + (1 - gamma) * seasons[i])
        return torch.stack(level), torch.stack(seasons)


@singledispatch
def as_series(value):
    raise TypeError(type(value))


@as_series.register
def _(value: torch.Tensor):
    return value.float()


@as_series.register
def _(value: list):
    return torch.tensor(value, dtype=torch.float)


class Naive(nn.Module):
    def __init__(self, horizon=2):
        super().__init__()
        self.horizon = horizon

    def forward(self, x):
        x = as_series(x)
        return x[-1:].expand(self.horizon)


class AnomalyScore(nn.Module):
    def __init__(self, k=3.0):
        super().__init__()
        self.k = k
        self.alarms = []

    def forward(self, x):
        z = (x - x.mean()) / x.std()
        where = torch.where(z.abs() > self.k * 0.5)[0]
        for i in where:
            self.alarms.append(i)
        n = where.numel()
        return z, n > 0


class Diffusive(nn.Module):
    """Windows of several lengths, padded to the longest."""

    def __init__(self, dim=4):
        super().__init__()
        self.rnn = nn.RNN(1, dim, batch_first=True)

    def forward(self, series: t.List[torch.Tensor]):
        lengths = [len(s) for s in series]
        x = nn.utils.rnn.pad_sequence(series, batch_first=True).unsqueeze(-1)
        packed = nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        out, h = self.rnn(packed)
        out, n = nn.utils.rnn.pad_packed_sequence(out, batch_first=True)
        return out[torch.arange(len(n)), n - 1], h
