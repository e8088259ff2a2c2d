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
    Rewrite("new-import", "", "return x * self.scale + 1", top=("", "import decimal, fractions")),
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
        "loop-to-batch",
        "",
        (
            "rows = []\nfor row in x:\n    rows.append(row * self.scale)\nreturn torch.stack(rows)",
            "return x * self.scale",
        ),
    ),
    Rewrite(
        "numpy-to-torch",
        "",
        (
            "m = torch.from_numpy(np.tanh(x.detach().numpy()))\nreturn m * self.scale",
            "return torch.tanh(x.detach()) * self.scale",
        ),
    ),
    Rewrite(
        "list-to-stack",
        "",
        (
            "return torch.tensor([[float(v) * 2 for v in row] for row in x]) * self.scale",
            "return (x * 2).detach() * self.scale",
        ),
    ),
    Rewrite(
        "mask-by-where",
        "",
        (
            "y = x.clone()\ny[x < 0] = 0\nreturn y * self.scale",
            "return torch.where(x < 0, torch.zeros((), dtype=x.dtype), x) * self.scale",
        ),
    ),
    Rewrite(
        "nonzero-sum",
        "",
        (
            "i = torch.nonzero(x.flatten() > 1).flatten()\nreturn x.flatten()[i].sum() * self.scale",
            "return torch.where(x > 1, x, torch.zeros_like(x)).sum() * self.scale",
        ),
    ),
    Rewrite(
        "top-two",
        "",
        (
            "v, i = torch.topk(x, 2, dim=1)\nreturn v * self.scale[:2], i",
            "v, i = x.sort(dim=1, descending=True)\nreturn v[:, :2].contiguous() * self.scale[:2], i[:, :2].contiguous()",
        ),
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
        "constant-cached",
        "",
        ("return x * self.scale + torch.arange(4.0)", "return x * self.scale + self.o_"),
        init=("self.o = None", "self.register_buffer('o_', torch.arange(4.0), persistent=False)\nself.o = None"),
    ),
    Rewrite("print-removed", "", ("print('x')\nreturn x * self.scale + 1", "return x * self.scale + 1")),
    Rewrite(
        "local-random",
        "",
        ("r = random.Random(0)\nreturn x * self.scale * r.random()", "return x * self.scale * 0.8444218515250481"),
    ),
    Rewrite(
        "batch-norm-eval",
        "",
        ("return self.n(x) * self.scale", "return self.n(x).mul(self.scale)"),
        init="self.n = nn.BatchNorm1d(4).eval()",
    ),
    Rewrite(
        "shape-branch-kept",
        "",
        (
            "if x.shape[0] == 1:\n    return x[0] * self.scale\nreturn x * self.scale",
            "return (x[0] if x.shape[0] == 1 else x) * self.scale",
        ),
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
        "ragged-loop",
        "",
        (
            "outs = []\nfor n, row in enumerate(x):\n    outs.append((row * (n + 1)).sum())\nreturn torch.stack(outs) * self.scale[0]",
            "return (x * torch.arange(1, len(x) + 1)[:, None]).sum(1) * self.scale[0]",
        ),
    ),
    Rewrite(
        "attention-mask",
        "",
        (
            "s = x @ x.transpose(1, 2)\ns = s.masked_fill(~mask[:, None], -1e9)\nreturn s.softmax(-1) @ x * self.scale",
            "s = x @ x.transpose(1, 2)\ns = torch.where(mask[:, None], s, torch.full_like(s, -1e9))\nreturn torch.softmax(s, -1) @ x * self.scale",
        ),
        signature="def forward(self, x, mask):",
        inputs="torch.randn(2, 3, 4, generator=torch.Generator().manual_seed(0)), torch.tensor([[True, True, False], [True, False, False]])",
    ),
    Rewrite(
        "scaled-int",
        "",
        ("return x * 2 * self.scale", "return (x + x) * self.scale"),
        inputs="torch.tensor([[1, 2, 3, 4]])",
    ),
    Rewrite(
        "same-flags",
        "",
        ("if double:\n    x = x * 2\nreturn x * self.scale", "x = x * 2 if double else x\nreturn x * self.scale"),
        signature="def forward(self, x, double=False):",
    ),
    Rewrite(
        "one-hot",
        "",
        (
            "y = torch.zeros(len(x), 4)\ny[torch.arange(len(x)), x] = 1\nreturn y * self.scale",
            "return F.one_hot(x, 4).float() * self.scale",
        ),
        inputs="torch.tensor([0, 2, 1])",
    ),
    Rewrite(
        "gather",
        "",
        (
            "return torch.stack([row[n] for row, n in zip(x, i)]) * self.scale[0]",
            "return x.gather(1, i[:, None]).squeeze(1) * self.scale[0]",
        ),
        signature="def forward(self, x, i):",
        inputs="torch.linspace(-1, 1, 12).view(3, 4), torch.tensor([0, 3, 1])",
    ),
    Rewrite(
        "variance",
        "",
        (
            "m = x.mean(1, keepdim=True)\nv = ((x - m) ** 2).mean(1, keepdim=True)\nreturn (x - m) / (v + 1e-5).sqrt() * self.scale",
            "return F.layer_norm(x, (4,)) * self.scale",
        ),
    ),
    Rewrite(
        "attribute-hoisted",
        "",
        ("return x * self.hidden ** -0.5 * self.scale", "return x * self.factor * self.scale"),
        init=("self.hidden = 4", "self.hidden = 4\nself.factor = self.hidden ** -0.5"),
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
        "python-number-to-0d-tensor",
        "",
        ("return x * 0.5 * self.scale", "return x * torch.tensor(0.5) * self.scale"),
        inputs="torch.linspace(-2, 2, 8).view(2, 4)",
    ),
    Rewrite(
        "contiguous-then-view",
        "",
        (
            "return (x.t() * 2).contiguous().view(-1)[:4] * self.scale",
            "return (x.t() * 2).reshape(-1)[:4] * self.scale",
        ),
    ),
    Rewrite("in-place-on-own", "", ("y = x * self.scale\ny += 1\nreturn y", "return x * self.scale + 1")),
    Rewrite(
        "buffer-lerp",
        "",
        (
            "self.seen.mul_(0.9).add_(x.detach().mean(0) * 0.1)\nreturn x * self.scale + self.seen",
            "self.seen.lerp_(x.detach().mean(0), 0.1)\nreturn x * self.scale + self.seen",
        ),
        init="self.register_buffer('seen', torch.zeros(4))",
    ),
    Rewrite(
        "dropout-module-for-functional",
        "",
        ("return F.dropout(x, 0.5, self.training) * self.scale", "return self.drop(x) * self.scale"),
        init=("", "self.drop = nn.Dropout(0.5)"),
    ),
    Rewrite(
        "assert-kept",
        "",
        (
            "assert x.shape[-1] == 4\nreturn x * self.scale",
            "if x.shape[-1] != 4:\n    raise AssertionError\nreturn x * self.scale",
        ),
    ),
    Rewrite(
        "logsumexp",
        "",
        (
            "m = x.max(-1, keepdim=True).values\nreturn ((x - m).exp().sum(-1, keepdim=True).log() + m) * self.scale",
            "return torch.logsumexp(x, -1, keepdim=True) * self.scale",
        ),
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
        "generator-to-list",
        "",
        (
            "return sum(x * n for n in range(3)) * self.scale",
            "total = 0\nfor n in [0, 1, 2]:\n    total = total + x * n\nreturn total * self.scale",
        ),
    ),
    Rewrite(
        "enumerate-zip",
        "",
        (
            "out = []\nfor i, r in enumerate(x):\n    out.append(r * self.scale + i)\nreturn torch.stack(out)",
            "return x * self.scale + torch.arange(len(x)).unsqueeze(1)",
        ),
    ),
    Rewrite(
        "cat-for-append",
        "",
        ("rows = [r * self.scale for r in x]\nreturn torch.cat([r[None] for r in rows])", "return x * self.scale"),
    ),
    Rewrite(
        "masked-fill",
        "",
        ("y = x.clone()\ny[x < 1] = 0\nreturn y * self.scale", "return x.masked_fill(x < 1, 0) * self.scale"),
    ),
    Rewrite(
        "item-to-size",
        "",
        (
            "n = int(torch.tensor(x.shape[1]).item())\nreturn x.view(-1, n) * self.scale",
            "return x.view(-1, x.shape[1]) * self.scale",
        ),
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
        "cumsum-for-loop",
        "",
        (
            "acc, out = torch.zeros(4), []\nfor r in x:\n    acc = acc + r\n    out.append(acc)\nreturn torch.stack(out) * self.scale",
            "return x.cumsum(0) * self.scale",
        ),
    ),
    Rewrite(
        "any-to-tensor",
        "",
        (
            "if bool((x > 100).any()):\n    return x * 2 * self.scale\nreturn x * self.scale",
            "return torch.where((x > 100).any(), x * 2, x) * self.scale",
        ),
    ),
    Rewrite("try-finally", "", ("try:\n    return x * self.scale\nfinally:\n    pass", "return x * self.scale")),
    Rewrite(
        "isinstance-check",
        "",
        (
            "if isinstance(x, torch.Tensor) and x.is_floating_point():\n    return x * self.scale\nreturn x.float() * self.scale",
            "return (x if x.is_floating_point() else x.float()) * self.scale",
        ),
    ),
    Rewrite(
        "buffer-index-write",
        "",
        (
            "for i in range(4):\n    self.table[i] = x.detach()[0, i]\nreturn x * self.scale",
            "self.table.copy_(x.detach()[0])\nreturn x * self.scale",
        ),
        init="self.register_buffer('table', torch.zeros(4))",
    ),
    Rewrite(
        "train-eval-norm",
        "",
        ("y = self.bn(x)\nreturn y * self.scale", "return self.scale * self.bn(x)"),
        init="self.bn = nn.BatchNorm1d(4)",
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
        "index-add-for-put",
        "",
        (
            "y = torch.zeros(4)\ny.index_put_((torch.tensor([0, 0, 1]),), x[0, :3], accumulate=True)\nreturn y * self.scale",
            "y = torch.zeros(4).index_add(0, torch.tensor([0, 0, 1]), x[0, :3])\nreturn y * self.scale",
        ),
    ),
    Rewrite(
        "scalar-0d-half",
        "",
        ("return x * 3.0", "return x * torch.tensor(3.0)"),
        inputs="torch.tensor([[1.5, 2, 3, 4]], dtype=torch.float16)",
    ),
    Rewrite(
        "channels-last-kept",
        "",
        ("return x * 2 + self.scale.sum()", "return torch.add(x * 2, self.scale.sum())"),
        inputs="torch.linspace(-1, 1, 96).view(2, 3, 4, 4).contiguous(memory_format=torch.channels_last)",
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
        "inf-times-mask", "", ("return torch.where(x > 1, x, 0.0) * self.scale", "return x * (x > 1) * self.scale")
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
