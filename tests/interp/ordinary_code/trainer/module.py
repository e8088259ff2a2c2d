"""Modules that know their losses, and the loop around them."""
import contextlib
import copy
import gc
import math
import warnings
from collections import OrderedDict
from typing import Any, Callable, Dict, Optional, Tuple

import torch
import torch.nn.functional as F
from torch import nn

from .callbacks import CallbackList, EarlyStopping, GradNorms, ModelCheckpoint, NanGuard, RichLogger, Throughput
from .config import Precision, TrainConfig

OPTIMIZERS: Dict[str, Callable] = {
    "sgd": lambda p, c: torch.optim.SGD(p, lr=c.lr, weight_decay=c.weight_decay),
    "adamw": lambda p, c: torch.optim.AdamW(p, lr=c.lr, weight_decay=c.weight_decay),
}


class Metric(nn.Module):
    def __init__(self, name):
        super().__init__()
        self.name = name
        self.register_buffer("total", torch.zeros(()))
        self.register_buffer("count", torch.zeros((), dtype=torch.long))

    def update(self, value, n=1):
        self.total += value.detach() * n
        self.count += n

    def compute(self):
        if self.count == 0:
            return float("nan")
        return (self.total / self.count).item()

    def reset(self):
        self.total.zero_()
        self.count.zero_()


class Accuracy(Metric):
    def forward(self, logits, y):
        self.update((logits.argmax(-1) == y).float().mean(), y.numel())
        return self.compute()


class SilentAccuracy(Metric):
    def forward(self, logits, y):
        correct = (logits.argmax(-1) == y).sum()
        self.total += correct
        self.count += y.numel()
        return self.total / self.count.clamp(min=1)


class EMA:
    def __init__(self, module, decay=0.99):
        self.decay = decay
        self.shadow = OrderedDict((k, v.detach().clone()) for k, v in module.named_parameters())
        self.steps = 0

    @torch.no_grad()
    def update(self, module):
        self.steps += 1
        decay = min(self.decay, (1 + self.steps) / (10 + self.steps))
        for name, p in module.named_parameters():
            self.shadow[name].lerp_(p, 1 - decay)

    @contextlib.contextmanager
    def applied(self, module):
        backup = {k: v.detach().clone() for k, v in module.named_parameters()}
        with torch.no_grad():
            for name, p in module.named_parameters():
                p.copy_(self.shadow[name])
        try:
            yield
        finally:
            with torch.no_grad():
                for name, p in module.named_parameters():
                    p.copy_(backup[name])


class LitModule(nn.Module):
    """What Lightning gives, as far as we need it."""

    def __init__(self):
        super().__init__()
        self.metrics: Dict[str, Any] = {}
        self.global_step = 0
        self.last_batch_size = 0
        self.callbacks = CallbackList([])

    def log(self, name, value, prog_bar=False, on_step=True):
        if isinstance(value, torch.Tensor):
            value = value.detach()
        self.metrics[name] = value
        if prog_bar:
            print(f"{name}={value:.3f}", end="\r")

    def log_dict(self, values, **kw):
        for k, v in values.items():
            self.log(k, v, **kw)

    def training_step(self, batch):
        raise NotImplementedError

    def forward(self, batch):
        self.last_batch_size = len(batch[0])
        loss = self.training_step(batch)
        if isinstance(loss, dict):
            loss = loss["loss"]
        self.callbacks.on_step(self, loss, self.global_step)
        self.global_step += 1
        return loss


class Classifier(LitModule):
    def __init__(self, dim=8, classes=3, smoothing=0.0, verbose=False):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, 16), nn.ReLU(), nn.Linear(16, classes))
        self.smoothing = smoothing
        self.verbose = verbose
        self.train_acc = SilentAccuracy("acc")

    def training_step(self, batch):
        x, y = batch
        logits = self.net(x)
        loss = F.cross_entropy(logits, y, label_smoothing=self.smoothing)
        self.log("loss", loss, prog_bar=self.verbose)
        self.log("acc", self.train_acc(logits, y))
        return loss


class Logged(Classifier):
    def __init__(self, **kw):
        super().__init__(**kw)
        self.callbacks.append(RichLogger())
        self.callbacks.append(NanGuard())


class Watched(Classifier):
    def __init__(self, **kw):
        super().__init__(**kw)
        self.callbacks = CallbackList([Throughput(), EarlyStopping("loss")])

    def training_step(self, batch):
        loss = super().training_step(batch)
        self.callbacks.on_metrics(self, self.metrics)
        return {"loss": loss}


class Saved(Classifier):
    def __init__(self, folder="/tmp", **kw):
        super().__init__(**kw)
        self.callbacks = CallbackList([ModelCheckpoint(folder), GradNorms()])
        self.global_step = 1


class AutoEncoder(LitModule):
    def __init__(self, dim=8, code=2, variational=True):
        super().__init__()
        self.enc = nn.Linear(dim, 2 * code)
        self.dec = nn.Linear(code, dim)
        self.variational = variational
        self.register_buffer("beta", torch.tensor(0.1))

    def reparameterize(self, mu, logvar):
        if not self.training:
            return mu
        return mu + torch.randn_like(mu) * torch.exp(0.5 * logvar)

    def training_step(self, batch):
        (x,) = batch
        mu, logvar = self.enc(x).chunk(2, 1)
        rec = self.dec(self.reparameterize(mu, logvar))
        kld = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
        loss = F.mse_loss(rec, x) + self.beta * kld
        self.log_dict({"kld": kld, "loss": loss})
        if kld > 100:
            warnings.warn("posterior far from prior", stacklevel=2)
        return loss


class Trainer:
    """A step that is compiled as a whole."""

    def __init__(self, module: LitModule, cfg: Optional[TrainConfig] = None):
        self.module = module
        self.cfg = cfg or TrainConfig()
        self.optimizer = OPTIMIZERS[self.cfg.optim.name](module.parameters(), self.cfg.optim)
        self.ema = EMA(module, self.cfg.ema)
        self.step = 0
        self.compiled = torch.compile(self.fit_step)
        self.evaluate = torch.compile(self.validation_step, mode="reduce-overhead")

    def autocast(self):
        if self.cfg.precision is Precision.BF16:
            return torch.autocast("cpu", dtype=torch.bfloat16)
        return contextlib.nullcontext()

    def fit_step(self, batch):
        self.step += 1
        with self.autocast():
            loss = self.module(batch)
        (loss / self.cfg.optim.accumulate).backward()
        if self.step % self.cfg.optim.accumulate == 0:
            if self.cfg.optim.clip_norm is not None:
                norm = torch.nn.utils.clip_grad_norm_(self.module.parameters(), self.cfg.optim.clip_norm)
                if not math.isfinite(norm):
                    self.optimizer.zero_grad()
                    return loss
            self.optimizer.step()
            self.optimizer.zero_grad(set_to_none=True)
            self.ema.update(self.module)
        return loss.item()

    def validation_step(self, batches):
        self.module.eval()
        losses = []
        with torch.no_grad(), self.ema.applied(self.module):
            for batch in batches:
                losses.append(self.module(batch))
        self.module.train()
        return sum(losses) / len(losses)


class Mixup(nn.Module):
    def __init__(self, alpha=0.4, classes=3):
        super().__init__()
        self.dist = torch.distributions.Beta(alpha, alpha)
        self.classes = classes

    def forward(self, x, y):
        lam = self.dist.sample()
        perm = torch.randperm(x.shape[0], device=x.device)
        y = F.one_hot(y, self.classes).float()
        return lam * x + (1 - lam) * x[perm], lam * y + (1 - lam) * y[perm]


class LossScaler(nn.Module):
    """Dynamic loss scaling by hand."""

    def __init__(self, init=2.0**8, growth=2.0, interval=2):
        super().__init__()
        self.scale = init
        self.growth, self.interval = growth, interval
        self.good = 0

    def found_inf(self, grads):
        return any(not torch.isfinite(g).all() for g in grads)

    def forward(self, loss, params):
        params = [p for p in params if p.requires_grad]
        grads = torch.autograd.grad(loss * self.scale, params)
        if self.found_inf(grads):
            self.scale /= self.growth
            self.good = 0
            return None
        self.good += 1
        if self.good % self.interval == 0:
            self.scale *= self.growth
        return [g / self.scale for g in grads]


class ScaledStep(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.net = nn.Linear(dim, 1)
        self.scaler = LossScaler()

    def forward(self, x):
        return self.scaler(self.net(x).mean(), list(self.net.parameters()))


class FeatureExtractor(nn.Module):
    """Collects what layers give, by hooks."""

    def __init__(self, model, names=("0", "2")):
        super().__init__()
        self.model = model
        self.features = {}
        for name, layer in model.named_modules():
            if name in names:
                layer.register_forward_hook(self.save(name))

    def save(self, name):
        def hook(module, inputs, output):
            self.features[name] = output.detach()

        return hook

    def forward(self, x):
        out = self.model(x)
        return out, dict(self.features)


class ActivationStats(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model
        self.handles = []
        self.means = []

    def forward(self, x):
        for layer in self.model:
            self.handles.append(layer.register_forward_hook(lambda m, i, o: self.means.append(o.mean().item())))
        y = self.model(x)
        for handle in self.handles:
            handle.remove()
        self.handles.clear()
        return y


class Distilled(nn.Module):
    def __init__(self, student, t=2.0):
        super().__init__()
        self.student = student
        self.teacher = copy.deepcopy(student).eval().requires_grad_(False)
        self.t = t

    def forward(self, x, y=None):
        logits = self.student(x)
        with torch.inference_mode():
            soft = self.teacher(x)
        kd = F.kl_div((logits / self.t).log_softmax(-1), (soft / self.t).softmax(-1), reduction="batchmean")
        if y is None:
            return kd
        return kd * self.t**2 + F.cross_entropy(logits, y)


class Frozen(nn.Module):
    """Trains the head only, for a while."""

    def __init__(self, dim=8, until=3):
        super().__init__()
        self.body, self.head = nn.Linear(dim, dim), nn.Linear(dim, 2)
        self.until = until
        self.seen = 0

    def set_grad(self, flag):
        for p in self.body.parameters():
            p.requires_grad = flag

    def forward(self, x):
        self.seen += 1
        self.set_grad(self.seen > self.until)
        return self.head(torch.tanh(self.body(x)))


class MemoryAware(nn.Module):
    def __init__(self, dim=8, collect=True):
        super().__init__()
        self.lin = nn.Linear(dim, dim)
        self.collect = collect

    def forward(self, x):
        y = self.lin(x)
        if self.collect:
            gc.collect()
        if torch.cuda.is_available():
            torch.cuda.empty_cache()
        return y


class SAMStep(nn.Module):
    """Sharpness-aware: climbs, takes the gradient there, and goes back."""

    def __init__(self, dim=4, rho=0.05):
        super().__init__()
        self.net = nn.Linear(dim, 1)
        self.rho = rho

    def forward(self, x, y) -> Tuple[torch.Tensor, torch.Tensor]:
        params = list(self.net.parameters())
        loss = F.mse_loss(self.net(x).squeeze(-1), y)
        grads = torch.autograd.grad(loss, params)
        norm = torch.stack([g.norm() for g in grads]).norm()
        eps = [g * (self.rho / (norm + 1e-12)) for g in grads]
        moved = {k: p + e for (k, p), e in zip(self.net.named_parameters(), eps)}
        again = torch.func.functional_call(self.net, moved, (x,))
        return loss, F.mse_loss(again.squeeze(-1), y)


class Swa(nn.Module):
    def __init__(self, dim=4, start=1):
        super().__init__()
        self.net = nn.Linear(dim, 2)
        self.averaged = torch.optim.swa_utils.AveragedModel(self.net)
        self.start = start
        self.epoch = 0

    def forward(self, x):
        out = self.net(x)
        if self.epoch >= self.start:
            self.averaged.update_parameters(self.net)
        self.epoch += 1
        return out
