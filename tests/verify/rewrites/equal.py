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
    Rewrite("unique-name", "", "return x * self.scale + 1", init="self.name = repr(object())"),
    Rewrite("batch-statistics-kept", "", "return self.norm(x) * self.scale", init="self.norm = nn.BatchNorm1d(4)"),
    Rewrite("dropout-kept", "", "return self.drop(x) * self.scale", init="self.drop = nn.Dropout(0.5)"),
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
        "new-attribute",
        "",
        ("return x * self.scale + 1", "return x * self.scale + self.offset"),
        init=("", "self.offset = 1"),
    ),
    Rewrite(
        "new-helpers",
        "",
        ("return x * self.scale + 1", "return shifted(x * self.scale)"),
        top=("", "OFFSET = 1\n\ndef shifted(x):\n    return x + OFFSET"),
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
        "helper-inlined",
        "",
        ("return shifted(x * self.scale)", "return x * self.scale + 1"),
        top=("def shifted(x):\n    return x + 1", ""),
    ),
    Rewrite(
        "embedding",
        "",
        ("return torch.stack([self.e(i) for i in x.unbind(1)], 1) * self.scale", "return self.e(x) * self.scale"),
        init="self.e = nn.Embedding(10, 4)",
        inputs="torch.tensor([[1, 2], [3, 9]])",
    ),
    Rewrite(
        "complex",
        "",
        (
            "y = torch.fft.rfft(x)\nreturn torch.fft.irfft(y * 2, n=x.shape[1]) * self.scale",
            "y = torch.fft.rfft(x) * 2\nreturn torch.fft.irfft(y, n=x.shape[1]) * self.scale",
        ),
    ),
    Rewrite(
        "dataclass-output",
        "",
        ("return Out(x * self.scale, x + 1)", "y = x * self.scale\nreturn Out(z=x + 1, y=y)"),
        top="import dataclasses\n@dataclasses.dataclass\nclass Out:\n    y: torch.Tensor\n    z: torch.Tensor",
    ),
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
        "none-mask",
        "",
        (
            "if mask is not None:\n    x = x * mask\nreturn x * self.scale",
            "x = x if mask is None else x * mask\nreturn x * self.scale",
        ),
        signature="def forward(self, x, mask=None):",
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
        "tuple-argument-kept",
        "",
        ("return x * size[0] * self.scale + size[1]", "a, b = size\nreturn x * a * self.scale + b"),
        signature="def forward(self, x, size):",
        inputs="torch.tensor([[-1.0, 0.5, 2.0, 3.0], [1.0, 4.0, 5.0, 6.0]]), (2, 3)",
    ),
    Rewrite(
        "string-argument-kept",
        "",
        (
            "if how == 'mean':\n    return x.mean() * self.scale\nreturn x.sum() * self.scale",
            "return (x.mean() if how == 'mean' else x.sum()) * self.scale",
        ),
        signature="def forward(self, x, how='sum'):",
    ),
    Rewrite(
        "dropout-module-for-functional",
        "",
        ("return F.dropout(x, 0.5, self.training) * self.scale", "return self.drop(x) * self.scale"),
        init=("", "self.drop = nn.Dropout(0.5)"),
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
        "einsum-for-loop",
        "",
        (
            "return torch.stack([self.m @ r for r in x]) * self.scale",
            "return torch.einsum('ij,bj->bi', self.m, x) * self.scale",
        ),
        init="self.m = nn.Parameter(torch.eye(4) + 0.1)",
    ),
    Rewrite(
        "optimizer-kept",
        "",
        ("return x * self.scale", "return torch.mul(x, self.scale)"),
        init="self.opt = torch.optim.SGD(self.parameters(), lr=0.1)",
    ),
    Rewrite(
        "pre-hook-by-relu",
        "",
        "return x * self.scale",
        init=(
            "self.register_forward_pre_hook(lambda m, a: (a[0].clamp(min=0),))",
            "self.register_forward_pre_hook(lambda m, a: (a[0].relu(),))",
        ),
    ),
    Rewrite(
        "error-kept",
        "",
        (
            "if not len(x):\n    raise RuntimeError('empty')\nreturn x * self.scale",
            "if len(x) == 0:\n    raise RuntimeError('empty')\nreturn x * self.scale",
        ),
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
        "last-kept-detached",
        "",
        (
            "y = x * self.scale\nself.last = y.detach()\nreturn y",
            "y = torch.mul(x, self.scale)\nself.last = y.detach()\nreturn y",
        ),
        init="self.last = None",
    ),
    Rewrite(
        "popped-key",
        "",
        ("return batch.pop('x') * self.scale", "x = batch.pop('x')\nreturn x * self.scale"),
        signature="def forward(self, batch):",
        inputs="{'x': torch.tensor([[-1.0, 0.5, 2.0, 3.0], [1.0, 4.0, 5.0, 6.0]])}",
    ),
)
