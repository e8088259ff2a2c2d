import math
import random

import torch
from torch import nn

from .utils import lengths_to_mask, logger


class LogMel(nn.Module):
    def __init__(self, n_fft=64, hop=16, mels=8, dither=0.0):
        super().__init__()
        self.n_fft, self.hop = n_fft, hop
        self.dither = dither
        self.register_buffer("window", torch.hann_window(n_fft))
        self.register_buffer("bank", torch.rand(mels, n_fft // 2 + 1))

    def forward(self, wav, lengths):
        if self.dither > 0 and self.training:
            wav = wav + self.dither * torch.randn_like(wav)
        wav = torch.cat([wav[:, :1], wav[:, 1:] - 0.97 * wav[:, :-1]], 1)
        spec = torch.stft(wav, self.n_fft, self.hop, window=self.window, return_complex=True)
        power = spec.abs().pow(2)
        mel = torch.matmul(self.bank, power).clamp(min=1e-10).log()
        frames = torch.div(lengths, self.hop, rounding_mode="floor") + 1
        return mel.transpose(1, 2), frames


class UtteranceNorm(nn.Module):
    def __init__(self, eps=1e-5):
        super().__init__()
        self.eps = eps

    def forward(self, x, lengths):
        out = torch.zeros_like(x)
        for i in range(x.shape[0]):
            n = lengths[i]
            part = x[i, :n]
            out[i, :n] = (part - part.mean(0)) / (part.std(0) + self.eps)
        return out


class MaskedNorm(nn.Module):
    def forward(self, x, lengths):
        mask = lengths_to_mask(lengths, x.size(1)).unsqueeze(-1)
        n = mask.sum(1, keepdim=True)
        mean = (x * mask).sum(1, keepdim=True) / n
        var = ((x - mean) ** 2 * mask).sum(1, keepdim=True) / n
        return (x - mean) / (var + 1e-5).sqrt() * mask


class SpecAugment(nn.Module):
    def __init__(self, freq=2, time=4, masks=2, adaptive=False):
        super().__init__()
        self.freq, self.time, self.masks, self.adaptive = freq, time, masks, adaptive
        self.rng = random.Random()

    def forward(self, x, lengths):
        if not self.training:
            return x
        b, t, f = x.shape
        for _ in range(self.masks):
            w = self.rng.randint(0, self.freq)
            start = self.rng.randint(0, f - w)
            x[:, :, start:start + w] = 0
        for i, n in enumerate(lengths.tolist()):
            width = int(0.05 * n) if self.adaptive else self.time
            begin = int(torch.randint(0, max(n - width, 1), [1]))
            x[i, begin:begin + width] = x.mean()
        return x


class SpeedPerturb(nn.Module):
    rates = (0.9, 1.0, 1.1)

    def forward(self, wav, lengths):
        rate = random.choice(self.rates)
        if rate == 1.0:
            return wav, lengths
        n = int(wav.size(1) / rate)
        wav = nn.functional.interpolate(wav[:, None], size=n, mode="linear")[:, 0]
        return wav, (lengths / rate).long()


class Subsampling(nn.Module):
    def __init__(self, mels=8, dim=16):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(1, 4, 3, 2), nn.ReLU(), nn.Conv2d(4, 4, 3, 2), nn.ReLU())
        self.out = nn.Linear(4 * (((mels - 1) // 2 - 1) // 2), dim)

    def forward(self, x, mask):
        if x.size(1) < 7:
            raise ValueError(f"has {x.size(1)} frames and is too short for subsampling")
        x = self.conv(x.unsqueeze(1))
        b, c, t, f = x.size()
        x = self.out(x.transpose(1, 2).contiguous().view(b, t, c * f))
        if mask is None:
            return x, None
        return x, mask[:, :-2:2][:, :-2:2]


class PositionalEncoding(nn.Module):
    def __init__(self, dim=16, max_len=50, dropout=0.0):
        super().__init__()
        self.dim = dim
        self.xscale = math.sqrt(dim)
        self.dropout = nn.Dropout(dropout)
        self.pe = None
        self.extend(torch.zeros(1, max_len))

    def extend(self, x):
        if self.pe is not None and self.pe.size(1) >= x.size(1):
            if self.pe.dtype != x.dtype or self.pe.device != x.device:
                self.pe = self.pe.to(dtype=x.dtype, device=x.device)
            return
        pe = torch.zeros(x.size(1), self.dim)
        position = torch.arange(0, x.size(1)).unsqueeze(1).float()
        div = torch.exp(torch.arange(0, self.dim, 2).float() * -(math.log(10000.0) / self.dim))
        pe[:, 0::2] = torch.sin(position * div)
        pe[:, 1::2] = torch.cos(position * div)
        self.pe = pe.unsqueeze(0)

    def forward(self, x):
        self.extend(x)
        logger.debug("positions up to %d", x.size(1))
        return self.dropout(x * self.xscale + self.pe[:, : x.size(1)])
