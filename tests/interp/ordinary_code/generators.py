"""Diffusion samplers, adversarial training and augmentation."""
import inspect
import math
import random
from abc import ABC, abstractmethod
from collections import deque
from dataclasses import dataclass
from functools import partial
from typing import Callable, Optional, Union

import numpy as np
import torch
import torch.nn.functional as F
from torch import autograd, nn
from tqdm.auto import tqdm


def exists(x):
    return x is not None


def default(val, d):
    if exists(val):
        return val
    return d() if callable(d) else d


def extract(a, t, shape):
    b, *_ = t.shape
    return a.gather(-1, t).reshape(b, *((1,) * (len(shape) - 1)))


def linear_betas(steps):
    scale = 1000 / steps
    return torch.linspace(scale * 1e-4, min(scale * 0.02, 0.9), steps)


def cosine_betas(steps, s=0.008):
    x = torch.linspace(0, steps, steps + 1)
    bar = torch.cos(((x / steps) + s) / (1 + s) * math.pi * 0.5) ** 2
    bar = bar / bar[0]
    return torch.clip(1 - bar[1:] / bar[:-1], 0, 0.999)


SCHEDULES = {"linear": linear_betas, "cosine": cosine_betas}


def sinusoid(t, dim):
    half = dim // 2
    freq = torch.exp(-math.log(10000) * torch.arange(half) / half)
    arg = t[:, None].float() * freq[None]
    return torch.cat([arg.cos(), arg.sin()], -1)


class TinyUNet(nn.Module):
    def __init__(self, ch=4, cond=None):
        super().__init__()
        self.time = nn.Sequential(nn.Linear(8, ch), nn.SiLU())
        self.inp = nn.Conv2d(ch, ch, 3, padding=1)
        self.out = nn.Conv2d(ch, ch, 3, padding=1)
        self.label = nn.Embedding(cond + 1, ch) if cond else None

    def forward(self, x, t, y=None):
        emb = self.time(sinusoid(t, 8))
        if self.label is not None:
            emb = emb + self.label(default(y, lambda: torch.zeros_like(t)))
        h = F.silu(self.inp(x) + emb[..., None, None])
        return self.out(h)


class GaussianDiffusion(nn.Module):
    def __init__(self, net, steps=5, schedule="cosine", objective="noise", progress=False):
        super().__init__()
        if objective not in {"noise", "x0", "v"}:
            raise ValueError(objective)
        self.net, self.steps, self.objective, self.progress = net, steps, objective, progress
        betas = SCHEDULES[schedule](steps)
        bar = torch.cumprod(1 - betas, 0)
        register = lambda name, val: self.register_buffer(name, val.float())  # noqa: E731
        register("betas", betas)
        register("bar", bar)
        register("sqrt_bar", bar.sqrt())
        register("sqrt_one_minus", (1 - bar).sqrt())
        self.losses = deque(maxlen=100)

    def q_sample(self, x, t, noise=None):
        noise = default(noise, lambda: torch.randn_like(x))
        return extract(self.sqrt_bar, t, x.shape) * x + extract(self.sqrt_one_minus, t, x.shape) * noise

    def target(self, x, noise, t):
        if self.objective == "noise":
            return noise
        elif self.objective == "x0":
            return x
        return extract(self.sqrt_bar, t, x.shape) * noise - extract(self.sqrt_one_minus, t, x.shape) * x

    def forward(self, x, y=None):
        b = x.shape[0]
        t = torch.randint(0, self.steps, (b,), device=x.device).long()
        noise = torch.randn_like(x)
        pred = self.net(self.q_sample(x, t, noise), t, y)
        loss = F.mse_loss(pred, self.target(x, noise, t), reduction="none").flatten(1).mean(1)
        if self.training:
            for step, value in zip(t.cpu().numpy(), loss.detach()):
                self.losses.append((int(step), value.item()))
        return loss.mean()

    @torch.no_grad()
    def sample(self, shape):
        x = torch.randn(shape)
        steps = reversed(range(self.steps))
        for i in tqdm(steps, disable=not self.progress) if self.progress else steps:
            t = torch.full((shape[0],), i, dtype=torch.long)
            eps = self.net(x, t)
            x = (x - self.betas[i] / self.sqrt_one_minus[i] * eps) / (1 - self.betas[i]).sqrt()
            x = x + self.betas[i].sqrt() * torch.randn_like(x) if i else x
        return x.clamp(-1, 1)


class Sampler(nn.Module):
    def __init__(self, diffusion, shape=(1, 4, 4, 4)):
        super().__init__()
        self.diffusion = diffusion
        self.shape = shape

    def forward(self):
        return self.diffusion.sample(self.shape)


class DDIM(nn.Module):
    def __init__(self, diffusion, steps=3, eta=0.0):
        super().__init__()
        self.d, self.eta = diffusion, eta
        self.times = np.linspace(0, diffusion.steps - 1, steps).round().astype(int)[::-1].copy()

    @torch.no_grad()
    def forward(self, x):
        for i, t in enumerate(self.times):
            prev = self.times[i + 1] if i + 1 < len(self.times) else -1
            a = self.d.bar[t]
            a_prev = self.d.bar[prev] if prev >= 0 else torch.ones_like(a)
            eps = self.d.net(x, torch.full((len(x),), int(t)))
            x0 = (x - (1 - a).sqrt() * eps) / a.sqrt()
            sigma = self.eta * ((1 - a_prev) / (1 - a)).sqrt() * (1 - a / a_prev).sqrt()
            x = a_prev.sqrt() * x0 + (1 - a_prev - sigma**2).clamp(min=0).sqrt() * eps
            if self.eta > 0:
                x = x + sigma * torch.randn_like(x)
        return x


class Scheduler(ABC):
    @abstractmethod
    def step(self, x, eps, i): ...


@dataclass
class EulerState:
    sigmas: torch.Tensor
    index: int = 0
    history: Optional[list] = None


class Euler(Scheduler):
    def __init__(self, n=4, smax=5.0, smin=0.1, rho=7.0):
        ramp = torch.linspace(0, 1, n)
        sig = (smax ** (1 / rho) + ramp * (smin ** (1 / rho) - smax ** (1 / rho))) ** rho
        self.state = EulerState(torch.cat([sig, torch.zeros(1)]), history=[])

    @property
    def sigmas(self):
        return self.state.sigmas

    def step(self, x, eps, i):
        dt = self.sigmas[i + 1] - self.sigmas[i]
        self.state.history.append(eps)
        if len(self.state.history) > 2:
            self.state.history.pop(0)
        return x + eps * dt

    def index_for(self, sigma):
        return (self.sigmas - sigma).abs().argmin().item()


class Heun(Euler):
    def step(self, x, eps, i):
        y = super().step(x, eps, i)
        if self.sigmas[i + 1] == 0:
            return y
        return (x + y) / 2 + eps * 0.5 * (self.sigmas[i + 1] - self.sigmas[i])


class KSampler(nn.Module):
    def __init__(self, net, scheduler: Scheduler, callback: Optional[Callable] = None):
        super().__init__()
        self.net = net
        self.scheduler = scheduler
        self.callback = callback

    def denoise(self, x, sigma):
        return self.net(x / (sigma**2 + 1).sqrt(), sigma.log().expand(len(x)) * 0.25)

    def forward(self, x):
        sigmas = self.scheduler.sigmas
        x = x * sigmas[0]
        for i in range(len(sigmas) - 1):
            eps = self.denoise(x, sigmas[i])
            x = self.scheduler.step(x, eps, i)
            if self.callback is not None:
                self.callback({"i": i, "sigma": sigmas[i], "x": x})
        return x


class Inpainter(nn.Module):
    def __init__(self, net, strength=0.8):
        super().__init__()
        self.net, self.scheduler = net, Euler()
        self.strength = strength

    def forward(self, image, mask, generator=None):
        start = self.scheduler.index_for(self.strength * self.scheduler.sigmas[0])
        noise = torch.randn(image.shape, generator=generator)
        x = image + noise * self.scheduler.sigmas[start]
        for i in range(start, len(self.scheduler.sigmas) - 1):
            x = self.scheduler.step(x, self.net(x, torch.ones(len(x))), i)
            x = x * mask + image * (1 - mask)
        return x


class ClassifierFree(nn.Module):
    def __init__(self, net, classes=3, drop=0.1, scale: Union[float, torch.Tensor] = 3.0):
        super().__init__()
        self.net, self.null, self.drop, self.scale = net, classes, drop, scale

    def forward(self, x, t, y):
        if self.training:
            dropped = torch.rand(y.shape) < self.drop
            y = torch.where(dropped, torch.full_like(y, self.null), y)
            return self.net(x, t, y)
        both = self.net(torch.cat([x, x]), torch.cat([t, t]), torch.cat([y, torch.full_like(y, self.null)]))
        cond, uncond = both.chunk(2)
        out = uncond + self.scale * (cond - uncond)
        s = out.flatten(1).abs().quantile(0.99, dim=1)
        return out / s.clamp(min=1.0)[:, None, None, None]


class Discriminator(nn.Module):
    def __init__(self, dim=4, spectral=True):
        super().__init__()
        wrap = nn.utils.parametrizations.spectral_norm if spectral else (lambda m: m)
        self.net = nn.Sequential(wrap(nn.Linear(dim, 8)), nn.LeakyReLU(0.2), wrap(nn.Linear(8, 1)))

    def minibatch_std(self, x):
        return torch.cat([x, x.std(0).mean().expand(len(x), 1)], 1)

    def forward(self, x):
        return self.net(x)


def gradient_penalty(D, real, fake, weight=10.0):
    alpha = torch.rand(real.size(0), 1)
    mix = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
    score = D(mix)
    (grad,) = autograd.grad(score, mix, torch.ones_like(score), create_graph=True)
    return weight * ((grad.norm(2, dim=1) - 1) ** 2).mean()


class CriticLoss(nn.Module):
    def __init__(self, every=1, spectral=False):
        super().__init__()
        self.D = Discriminator(spectral=spectral)
        self.every = every
        self.it = 0
        self.gp = 0.0

    def forward(self, real, fake):
        loss = self.D(fake).mean() - self.D(real).mean()
        if self.it % self.every == 0:
            gp = gradient_penalty(self.D, real, fake.detach())
            self.gp = gp.item()
            loss = loss + gp
        self.it += 1
        return loss


class R1(nn.Module):
    def __init__(self):
        super().__init__()
        self.D = Discriminator(spectral=False)

    def forward(self, real):
        real = real.detach().requires_grad_()
        with torch.enable_grad():
            out = self.D(real).sum()
            grad = torch.autograd.grad(out, real, create_graph=True)[0]
        return grad.pow(2).sum(1).mean()


class ImagePool:
    """Fakes of earlier, half of the time."""

    def __init__(self, size=3):
        self.size = size
        self.images = []

    def query(self, images):
        if self.size == 0:
            return images
        out = []
        for image in images:
            image = torch.unsqueeze(image.data, 0)
            if len(self.images) < self.size:
                self.images.append(image)
                out.append(image)
            elif random.uniform(0, 1) > 0.5:
                i = random.randint(0, self.size - 1)
                out.append(self.images[i].clone())
                self.images[i] = image
            else:
                out.append(image)
        return torch.cat(out, 0)


class CycleLoss(nn.Module):
    def __init__(self, pool=3):
        super().__init__()
        self.G, self.F = nn.Conv2d(3, 3, 1), nn.Conv2d(3, 3, 1)
        self.D = nn.Conv2d(3, 1, 1)
        self.pool = ImagePool(pool)
        self.register_buffer("real_label", torch.tensor(1.0))
        self.register_buffer("fake_label", torch.tensor(0.0))

    def gan(self, pred, is_real):
        label = self.real_label if is_real else self.fake_label
        return F.mse_loss(pred, label.expand_as(pred))

    def forward(self, a, b):
        fake_b = self.G(a)
        cycle = F.l1_loss(self.F(fake_b), a)
        idt = F.l1_loss(self.G(b), b) if self.training else 0
        d = self.gan(self.D(self.pool.query(fake_b)), False) + self.gan(self.D(b), True)
        return cycle + idt + self.gan(self.D(fake_b), True), d


class AdaptiveAugment(nn.Module):
    def __init__(self, target=0.6, speed=0.01):
        super().__init__()
        self.register_buffer("p", torch.zeros([]))
        self.target, self.speed = target, speed

    def update(self, logits):
        adjust = torch.sign(logits.sign().mean() - self.target) * self.speed
        self.p.copy_((self.p + adjust).clamp_(min=0, max=1))

    def forward(self, x, logits=None):
        if logits is not None:
            self.update(logits)
        if self.p > 0:
            flip = torch.rand(len(x), 1, 1, 1) < self.p
            x = torch.where(flip, x.flip(3), x)
        return x


class StyleMixer(nn.Module):
    def __init__(self, dim=4, layers=4, prob=0.9):
        super().__init__()
        self.map = nn.Sequential(*[nn.Linear(dim, dim) for _ in range(2)])
        self.layers, self.prob = layers, prob
        self.register_buffer("w_avg", torch.zeros(dim))

    def forward(self, z, psi=0.7):
        z = z * (z.square().mean(1, keepdim=True) + 1e-8).rsqrt()
        w = self.map(z)
        if self.training:
            self.w_avg.copy_(w.detach().mean(0).lerp(self.w_avg, 0.995))
        ws = w.unsqueeze(1).repeat(1, self.layers, 1)
        if self.training and self.prob > 0:
            cutoff = torch.empty([], dtype=torch.int64).random_(1, self.layers)
            cutoff = torch.where(torch.rand([]) < self.prob, cutoff, torch.full_like(cutoff, self.layers))
            ws[:, cutoff:] = self.map(torch.randn_like(z)).unsqueeze(1).repeat(1, self.layers, 1)[:, cutoff:]
        return self.w_avg.lerp(ws, psi)


class PathLength(nn.Module):
    def __init__(self, decay=0.01):
        super().__init__()
        self.decay = decay
        self.mean = 0.0

    def forward(self, images, latents):
        noise = torch.randn_like(images) / math.sqrt(images.shape[-1])
        grad = torch.autograd.grad((images * noise).sum(), latents, create_graph=True)[0]
        lengths = grad.pow(2).sum(-1).sqrt()
        self.mean = self.mean + self.decay * (lengths.detach().mean().item() - self.mean)
        return (lengths - self.mean).pow(2).mean()


class PathPenalised(nn.Module):
    def __init__(self):
        super().__init__()
        self.g = nn.Linear(4, 6)
        self.reg = PathLength()

    def forward(self, z):
        z = z.detach().requires_grad_(True)
        return self.reg(torch.tanh(self.g(z)), z)


class RandomCrop(nn.Module):
    def __init__(self, size=4, pad=1):
        super().__init__()
        self.size, self.pad = size, pad

    @staticmethod
    def get_params(img, size):
        h, w = img.shape[-2:]
        i = torch.randint(0, h - size + 1, size=(1,)).item()
        j = torch.randint(0, w - size + 1, size=(1,)).item()
        return i, j

    def forward(self, img):
        img = F.pad(img, [self.pad] * 4, mode="reflect")
        i, j = self.get_params(img, self.size)
        return img[..., i:i + self.size, j:j + self.size]


class Compose(nn.Module):
    def __init__(self, *ops):
        super().__init__()
        self.ops = ops

    def forward(self, x):
        for op in self.ops:
            x = op(x)
        return x


def brightness(x, amount=0.2):
    return x + (torch.rand(x.size(0), 1, 1, 1) - 0.5) * amount


def cutout(x, ratio=0.5):
    size = int(x.size(2) * ratio + 0.5)
    oy = torch.randint(0, x.size(2) + (1 - size % 2), (x.size(0), 1, 1))
    ox = torch.randint(0, x.size(3) + (1 - size % 2), (x.size(0), 1, 1))
    b, gy, gx = torch.meshgrid(torch.arange(x.size(0)), torch.arange(size), torch.arange(size), indexing="ij")
    gy = (gy + oy - size // 2).clamp(0, x.size(2) - 1)
    gx = (gx + ox - size // 2).clamp(0, x.size(3) - 1)
    mask = torch.ones(x.size(0), x.size(2), x.size(3))
    mask[b, gy, gx] = 0
    return x * mask.unsqueeze(1)


def jitter_gamma(x, low=0.7, high=1.4):
    gamma = np.random.uniform(low, high)
    return x.clamp(min=1e-3) ** gamma


def erase(x, p=0.5):
    if random.random() < p:
        x = x.clone()
        x[:, :, :2, :2] = x.new_empty(2, 2).normal_()
    return x


def rotate(x, degrees=10.0):
    theta = torch.empty(len(x)).uniform_(-degrees, degrees) * math.pi / 180
    cos, sin, zero = theta.cos(), theta.sin(), torch.zeros_like(theta)
    mat = torch.stack([torch.stack([cos, -sin, zero], -1), torch.stack([sin, cos, zero], -1)], 1)
    return F.grid_sample(x, F.affine_grid(mat, x.shape, align_corners=False), align_corners=False)


def light():
    return Compose(brightness, partial(cutout, ratio=0.3), rotate)


def heavy():
    return Compose(jitter_gamma, erase, brightness)


class ExtraStep(nn.Module):
    """Passes on what the scheduler's step takes."""

    def __init__(self, eta=0.5):
        super().__init__()
        self.scheduler = Heun()
        self.eta = eta

    def forward(self, x, i=0):
        accepts = "eta" in set(inspect.signature(self.scheduler.step).parameters.keys())
        extra = {"eta": self.eta} if accepts else {}
        return self.scheduler.step(x, x * 0.1, i, **extra)
