"""Low rank, quantised and pruned layers, and functions with a gradient of their own."""
from __future__ import annotations

import copy
import re
import weakref

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils import parametrize


class LoRALinear(nn.Module):
    def __init__(self, base: nn.Linear, r=2, alpha=4, dropout=0.0):
        super().__init__()
        self.base = base
        for p in base.parameters():
            p.requires_grad_(False)
        self.a = nn.Parameter(torch.randn(r, base.in_features) * 0.01)
        self.b = nn.Parameter(torch.zeros(base.out_features, r))
        self.drop = nn.Dropout(dropout) if dropout > 0 else nn.Identity()
        self.scale, self.merged, self.active = alpha / r, False, True

    @torch.no_grad()
    def merge(self):
        if not self.merged:
            self.base.weight += self.scale * self.b @ self.a
            self.merged = True

    def forward(self, x):
        if not self.active or self.merged:
            return self.base(x)
        dtype = x.dtype
        return self.base(x) + F.linear(F.linear(self.drop(x).to(self.a.dtype), self.a), self.b).to(dtype) * self.scale


class MergingLoRA(LoRALinear):
    def forward(self, x):
        if not self.training:
            self.merge()
        return super().forward(x)


def inject(model, pattern=r".*\.(q|v)$", **kw):
    for name, mod in list(model.named_modules()):
        if isinstance(mod, nn.Linear) and re.match(pattern, name):
            parent, _, child = name.rpartition(".")
            setattr(model.get_submodule(parent), child, LoRALinear(mod, **kw))
    return model


class DoRA(nn.Module):
    def __init__(self, base, r=2):
        super().__init__()
        self.lora = LoRALinear(base, r)
        self.m = nn.Parameter(base.weight.norm(dim=1))

    def forward(self, x):
        w = self.lora.base.weight + self.lora.scale * self.lora.b @ self.lora.a
        return F.linear(x, self.m[:, None] * w / w.norm(dim=1, keepdim=True).detach(), self.lora.base.bias)


class AdapterSwitch(nn.Module):
    def __init__(self, dim=8, names=("en", "de")):
        super().__init__()
        self.base = nn.Linear(dim, dim)
        self.adapters = nn.ModuleDict({n: nn.Linear(dim, dim, bias=False) for n in names})
        self.active: list[str] = list(names)

    def set_adapter(self, name):
        if name not in self.adapters:
            raise KeyError(name)
        self.active = [name]

    def forward(self, x, adapter=None):
        if adapter is not None:
            self.set_adapter(adapter)
        y = self.base(x)
        for n in self.active:
            y = y + self.adapters[n](x)
        return y


class PrefixTuning(nn.Module):
    def __init__(self, dim=8, n=2):
        super().__init__()
        self.prefix = nn.Parameter(torch.randn(n, dim))
        self.layer = nn.MultiheadAttention(dim, 2, batch_first=True)

    def forward(self, x, pad=None):
        p = self.prefix.expand(len(x), -1, -1)
        kv = torch.cat([p, x], 1)
        if pad is not None:
            pad = torch.cat([pad.new_zeros(len(x), p.shape[1]), pad], 1)
        return self.layer(x, kv, kv, key_padding_mask=pad)


class STE(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, lo, hi):
        q = (x / scale).round()
        ctx.save_for_backward((q >= lo) & (q <= hi))
        return q.clamp(lo, hi) * scale

    @staticmethod
    def backward(ctx, g):
        (mask,) = ctx.saved_tensors
        return g * mask, None, None, None


class GradReverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, lam):
        ctx.lam = lam
        return x.view_as(x)

    @staticmethod
    def backward(ctx, g):
        return -ctx.lam * g, None


class Swish(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x * torch.sigmoid(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        s = x.sigmoid()
        return g * s * (1 + x * (1 - s))


class ClampedGrad(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, bound):
        ctx.bound = bound.item() if torch.is_tensor(bound) else bound
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        return g.clamp(-ctx.bound, ctx.bound), None


class WithFunctions(nn.Module):
    def __init__(self, bound=0.1):
        super().__init__()
        self.lin = nn.Linear(4, 4)
        self.bound = bound

    def forward(self, x):
        x = GradReverse.apply(self.lin(x), 0.5)
        return ClampedGrad.apply(Swish.apply(x), self.bound)


class Observer(nn.Module):
    def __init__(self, momentum=0.9):
        super().__init__()
        self.register_buffer("lo", torch.tensor(float("inf")))
        self.register_buffer("hi", torch.tensor(float("-inf")))
        self.register_buffer("on", torch.tensor([1], dtype=torch.uint8))
        self.momentum = momentum

    @torch.no_grad()
    def forward(self, x):
        lo, hi = torch.aminmax(x.detach())
        if torch.isinf(self.lo):
            self.lo.copy_(lo)
            self.hi.copy_(hi)
        else:
            self.lo.mul_(self.momentum).add_(lo * (1 - self.momentum))
            self.hi.mul_(self.momentum).add_(hi * (1 - self.momentum))
        return x

    def qparams(self, bits=8):
        scale = (self.hi - self.lo).clamp(min=1e-8) / (2**bits - 1)
        return scale, (-self.lo / scale).round().clamp(0, 2**bits - 1).int()


class QATLinear(nn.Linear):
    def __init__(self, *args, bits=8, **kw):
        super().__init__(*args, **kw)
        self.bits = bits
        self.obs = Observer()

    def forward(self, x):
        if self.training and self.obs.on:
            x = self.obs(x)
        scale, zero = self.obs.qparams(self.bits)
        x = torch.fake_quantize_per_tensor_affine(x, scale, zero, 0, 2**self.bits - 1)
        top = 2 ** (self.bits - 1) - 1
        w = STE.apply(self.weight, self.weight.abs().amax(1, keepdim=True) / top, -top - 1, top)
        return F.linear(x, w, self.bias)


class StaticQuant(nn.Module):
    def __init__(self, lin: nn.Linear):
        super().__init__()
        self.scale = (lin.weight.abs().max() / 127).item()
        self.register_buffer("w", (lin.weight / self.scale).round().to(torch.int8))

    def forward(self, x):
        sx = x.abs().max().item() / 127
        qx = (x / sx).round().to(torch.int8)
        return (qx.to(torch.int32) @ self.w.t().to(torch.int32)).float() * (self.scale * sx)


class GroupQuant(nn.Module):
    def __init__(self, n=8, group=4):
        super().__init__()
        self.group = group
        self.weight = nn.Parameter(torch.randn(n, n))
        self.cache = None

    def dequantised(self):
        g = self.weight.view(-1, self.group)
        s = g.abs().amax(1, keepdim=True) / 7
        return ((g / s).round().clamp(-8, 7) * s).view_as(self.weight)

    def forward(self, x):
        if self.training or self.cache is None:
            self.cache = self.dequantised()
        return x @ self.cache.T


class MagnitudePrune(nn.Module):
    def __init__(self, n=8, sparsity=0.5, every=2):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(n, n))
        self.register_buffer("mask", torch.ones(n, n))
        self.sparsity, self.every = sparsity, every
        self.step = 0

    @torch.no_grad()
    def refresh(self):
        k = int(self.sparsity * self.weight.numel())
        floor = self.weight.abs().flatten().kthvalue(k).values
        self.mask = (self.weight.abs() > floor).float()

    def forward(self, x):
        if self.training and self.step % self.every == 0:
            self.refresh()
        self.step += 1
        if self.training and self.step == 1:
            print("density", float(self.mask.mean()))
        return F.linear(x, self.weight * self.mask)


class Symmetric(nn.Module):
    def forward(self, w):
        return w.triu() + w.triu(1).transpose(-1, -2)


class Parametrized(nn.Module):
    def __init__(self, n=4):
        super().__init__()
        self.lin = nn.Linear(n, n)
        parametrize.register_parametrization(self.lin, "weight", Symmetric())

    def forward(self, x):
        return self.lin(x)


class SharedWeights(nn.Module):
    def __init__(self, owner: nn.Linear):
        super().__init__()
        self.ref = weakref.ref(owner)
        self.keep = [owner]

    def forward(self, x):
        return F.linear(x, self.ref().weight.t())


class Vera(nn.Module):
    shared: dict[int, torch.Tensor] = {}

    def __init__(self, n=8, r=4):
        super().__init__()
        self.n, self.r = n, r
        self.d, self.b = nn.Parameter(torch.ones(r)), nn.Parameter(torch.zeros(n))

    def basis(self):
        if self.n not in Vera.shared:
            g = torch.Generator().manual_seed(0)
            Vera.shared[self.n] = torch.randn(self.r, self.n, generator=g)
        return Vera.shared[self.n]

    def forward(self, x):
        a = self.basis()
        return x + ((x @ a.T) * self.d) @ a * self.b


class TaskVector(nn.Module):
    def __init__(self, base, tuned, weight=0.3):
        super().__init__()
        self.model = copy.deepcopy(base)
        self.vector = {k: tuned.state_dict()[k] - v for k, v in base.state_dict().items()}
        self.weight = weight

    def forward(self, x):
        params = {k: v + self.weight * self.vector[k] for k, v in self.model.state_dict().items()}
        return torch.func.functional_call(self.model, params, x)


class SoftPrompt(nn.Module):
    def __init__(self, emb: nn.Embedding, n=2, init_ids=None):
        super().__init__()
        self.emb = emb
        init = emb.weight[torch.tensor(init_ids)] if init_ids else torch.randn(n, emb.embedding_dim)
        self.prompt = nn.Parameter(init.detach().clone())

    def forward(self, ids, inputs_embeds=None):
        if (ids is None) ^ (inputs_embeds is not None):
            raise ValueError("give ids or inputs_embeds")
        x = self.emb(ids) if inputs_embeds is None else inputs_embeds
        return torch.cat([self.prompt.unsqueeze(0).expand(x.size(0), -1, -1), x], 1)


class EarlyExit(nn.Module):
    def __init__(self, dim=8, layers=3, threshold=0.9):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(dim, dim) for _ in range(layers)])
        self.exits = nn.ModuleList([nn.Linear(dim, 2) for _ in range(layers)])
        self.threshold = threshold
        self.depths = []

    def forward(self, x):
        for i, (layer, out) in enumerate(zip(self.layers, self.exits)):
            x = torch.relu(layer(x))
            p = out(x).softmax(-1)
            if not self.training and p.max(-1).values.min() > self.threshold:
                break
        self.depths.append(i)
        return p
