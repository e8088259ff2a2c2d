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
        "detach-in-place",
        "gradients.input 0 is new",
        ("y = x * self.scale\nreturn y.detach_()", "y = x * self.scale\nreturn y"),
    ),
)
