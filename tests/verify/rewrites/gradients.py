"""Rewrites that change gradients."""

# ruff: noqa: E501 - the long lines are programs

from __future__ import annotations

from rewrites.rewrite import Rewrite

GRADIENTS = (
    Rewrite(
        "where-keeps-nan-gradient",
        "gradients.input 0 has NaN in 1 of 8 elements where the original has none",
        (
            "if x.min() > 0:\n    return x.sqrt() * self.scale\nreturn x * self.scale",
            "return torch.where(x.min() > 0, x.sqrt(), x) * self.scale",
        ),
    ),
    Rewrite(
        "detached-part",
        "gradients.input 0 differs",
        ("y = x * self.scale\nreturn y * y", "y = x * self.scale\nreturn y * y.detach()"),
    ),
    Rewrite(
        "straight-through-lost",
        "gradients.input 0 is gone",
        ("y = x * self.scale\nreturn y + (y.round() - y).detach()", "return (x * self.scale).round()"),
    ),
    Rewrite(
        "gradient-in-forward",
        "gradients.input 0 differs",
        (
            "y = (x * self.scale).sum()\nif y.requires_grad:\n    y.backward(retain_graph=True)\nreturn y + x",
            "y = (x * self.scale).sum()\npass\nreturn y + x",
        ),
    ),
    Rewrite(
        "parameter-frozen",
        "gradients.a is gone",
        "return x * self.a",
        init=("self.a = nn.Parameter(torch.ones(4))", "self.a = nn.Parameter(torch.ones(4), requires_grad=False)"),
    ),
    Rewrite(
        "shared-parameter-split",
        "gradients.a.weight differs",
        "return self.b(self.a(x))",
        init=(
            "self.a = nn.Linear(4, 4)\nself.b = nn.Linear(4, 4)\nself.b.weight = self.a.weight",
            "self.a = nn.Linear(4, 4)\nself.b = nn.Linear(4, 4)\nself.b.weight = nn.Parameter(self.a.weight.detach().clone())",
        ),
    ),
    Rewrite(
        "item-to-tensor",
        "gradients.input 0 differs",
        ("s = x.mean().item()\nreturn x * s * self.scale", "return x * x.mean() * self.scale"),
    ),
    Rewrite(
        "python-sum",
        "gradients.input 0 differs",
        (
            "total = sum(v.item() for v in x.flatten())\nreturn x * total * self.scale",
            "return x * x.sum() * self.scale",
        ),
        inputs="torch.randn(64, 4, generator=torch.Generator().manual_seed(0))",
    ),
    Rewrite(
        "no-grad-in-evaluation",
        "gradients.input 0 is gone",
        ("return x * self.scale + 1", "with torch.set_grad_enabled(self.training):\n    return x * self.scale + 1"),
    ),
    Rewrite(
        "requires-grad-lost",
        "gradients.b is gone",
        "return x * self.scale + self.b",
        init=("self.b = nn.Parameter(torch.zeros(4))", "self.b = nn.Parameter(torch.zeros(4), requires_grad=False)"),
    ),
    Rewrite(
        "detach-added",
        "gradients.scale differs",
        ("return (x * self.scale) * self.scale", "return (x * self.scale.detach()) * self.scale"),
    ),
    Rewrite(
        "gradient-of-clamp",
        "gradients.input 0 differs",
        ("return torch.clamp(x, -1, 1) * self.scale", "return (x + (torch.clamp(x, -1, 1) - x).detach()) * self.scale"),
    ),
    Rewrite(
        "tensor-hook-order",
        "gradients.input 0 differs",
        (
            "x = x * self.scale\nif x.requires_grad:\n    x.register_hook(lambda g: g * 2)\n    x.register_hook(lambda g: g.clamp(max=1))\nreturn x",
            "x = x * self.scale\nif x.requires_grad:\n    x.register_hook(lambda g: g.clamp(max=1))\n    x.register_hook(lambda g: g * 2)\nreturn x",
        ),
    ),
    Rewrite(
        "detach-in-place",
        "gradients.input 0 is new",
        ("y = x * self.scale\nreturn y.detach_()", "y = x * self.scale\nreturn y"),
    ),
    Rewrite(
        "input-gradient-detached",
        "gradients.input 0 differs",
        ("return (x * self.scale).sum() + x.sum()", "return (x * self.scale).sum() + x.detach().sum()"),
    ),
    Rewrite(
        "custom-backward-once",
        "gradients.input 0 is gone",
        ("return Twice.apply(x) * self.scale", "return Twice.apply(x.detach() + 0 * x) * self.scale"),
        top="class Twice(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x):\n        ctx.save_for_backward(x)\n        return x * x\n\n    @staticmethod\n    def backward(ctx, grad):\n        (x,) = ctx.saved_tensors\n        return 2 * x * grad\n",
    ),
)
