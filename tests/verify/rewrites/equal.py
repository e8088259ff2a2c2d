"""Rewrites that change nothing: no difference is found."""

# ruff: noqa: E501 - the long lines are programs

from __future__ import annotations

from rewrites.rewrite import Rewrite

EQUAL = (
    # What differs between two runs of the original is no difference.
    Rewrite(
        "timer",
        "",
        "then = time.perf_counter()\ny = x * self.scale\nself.seconds = time.perf_counter() - then\nreturn y + 1",
        init="self.seconds = 0.0",
    ),
    Rewrite(
        "boundary-kept",
        "",
        (
            "if x.max() > 6:\n    return x * self.scale\nreturn x + self.scale",
            "return torch.where(x.max() > 6, x * self.scale, x + self.scale)",
        ),
        inputs="torch.tensor([[1.0, 2.0, 3.0, 4.0]])",
    ),
    Rewrite(
        "new-buffer",
        "",
        ("return x * self.scale + torch.ones(4)", "return x * self.scale + self.offsets"),
        init=("", "self.register_buffer('offsets', torch.ones(4), persistent=False)"),
    ),
    Rewrite(
        "where-for-if",
        "",
        (
            "if x.sum() > 0:\n    y = x * self.scale\nelse:\n    y = x - self.scale\nreturn y",
            "return torch.where(x.sum() > 0, x * self.scale, x - self.scale)",
        ),
    ),
    Rewrite("draws-kept", "", "return x * self.scale + torch.rand_like(x)"),
    Rewrite(
        "checkpointed",
        "",
        ("return checkpoint(self.inner, x, use_reentrant=False) * self.scale", "return self.inner(x) * self.scale"),
        init="self.inner = nn.Linear(4, 4)",
        top="from torch.utils.checkpoint import checkpoint",
    ),
    Rewrite(
        "running-mean",
        "",
        (
            "if self.training:\n    with torch.no_grad():\n        self.mean.mul_(0.9).add_(0.1 * x.mean(0))\nreturn (x - self.mean) * self.scale",
            "if self.training:\n    with torch.no_grad():\n        self.mean.copy_(self.mean * 0.9 + 0.1 * x.mean(0))\nreturn (x - self.mean) * self.scale",
        ),
        init="self.register_buffer('mean', torch.zeros(4))",
    ),
    Rewrite("in-place-kept", "", ("x += 1\nreturn x * self.scale", "x.add_(1)\nreturn x * self.scale")),
    Rewrite(
        "local-random",
        "",
        ("r = random.Random(0)\nreturn x * self.scale * r.random()", "return x * self.scale * 0.8444218515250481"),
    ),
    Rewrite(
        "attribute-kept",
        "",
        (
            "for _ in range(self.steps):\n    x = x.clamp(min=self.limit) * self.scale\nreturn x",
            "n = self.steps\nlow = self.limit\nfor _ in range(n):\n    x = torch.clamp(x, min=low) * self.scale\nreturn x",
        ),
        init="self.steps = 2\nself.limit = 0.25",
    ),
    Rewrite(
        "where-safe-gradient",
        "",
        (
            "out = torch.zeros_like(x)\nm = x > 0\nout[m] = x[m].log()\nreturn out * self.scale",
            "m = x > 0\nreturn torch.where(m, torch.where(m, x, 1.0).log(), 0.0) * self.scale",
        ),
        inputs="torch.tensor([[0.0, 0.5, 2.0, 3.0]])",
    ),
    Rewrite(
        "square-for-function",
        "",
        ("return Twice.apply(x) * self.scale", "return x * x * self.scale"),
        top=(
            "class Twice(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x):\n        ctx.save_for_backward(x)\n        return x * x\n\n    @staticmethod\n    def backward(ctx, grad):\n        (x,) = ctx.saved_tensors\n        return 2 * x * grad\n",
            "",
        ),
    ),
    Rewrite(
        "cache-by-shape-and-dtype",
        "",
        (
            "return x * self.scale + torch.arange(len(x), dtype=x.dtype)[:, None]",
            "key = len(x), x.dtype\nif key not in self.kept:\n    self.kept[key] = torch.arange(len(x), dtype=x.dtype)[:, None]\nreturn x * self.scale + self.kept[key]",
        ),
        init=("pass", "self.kept = {}"),
    ),
    Rewrite(
        "popped-key",
        "",
        ("return batch.pop('x') * self.scale", "x = batch.pop('x')\nreturn x * self.scale"),
        signature="def forward(self, batch):",
        inputs="{'x': torch.tensor([[-1.0, 0.5, 2.0, 3.0], [1.0, 4.0, 5.0, 6.0]])}",
    ),
)
