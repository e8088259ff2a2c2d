"""More rewrites, from an attack by hand: what only other inputs, hidden state or the model's surroundings show."""

# ruff: noqa: E501 - the long lines are programs

from __future__ import annotations

from typing import Any

from hostile_rewrites import INPUTS, KEEPS, NOT, REMAINS, WHOLE, WRONG, Rewrite, both

RAND = "torch.rand(2, 4, generator=torch.Generator().manual_seed(3)) + 0.1"
DRAWN = "torch.randn(2, 3, 4, generator=torch.Generator().manual_seed(0))"


def w(name: str, **how: Any) -> Rewrite:
    """A rewrite that loses something."""
    return Rewrite(name, WRONG, **how)


def k(name: str, **how: Any) -> Rewrite:
    """One that loses nothing."""
    return Rewrite(name, KEEPS, **how)


def remains(name: str, **how: Any) -> Rewrite:
    """One that leaves a break."""
    return Rewrite(name, REMAINS, **how)


OF_INPUTS = (
    w("abs-lost", forward=("return x.abs() * self.scale", WHOLE.replace(" + 1", "")), inputs=RAND),
    w("clamp-lost", forward=("return x.clamp(min=0).sqrt() * self.scale", "return x.sqrt() * self.scale"), inputs=RAND),
    w(
        "floor-for-int",
        forward=("return x.trunc() * self.scale", "return x.floor() * self.scale"),
        inputs=RAND + " * 9",
    ),
    w(
        "fmod-for-remainder",
        forward=("return x % 3 * 1.0 * self.scale", "return torch.fmod(x, 3) * self.scale"),
        inputs="torch.tensor([[1, 2, 3, 4], [5, 6, 7, 8]])",
    ),
    w(
        "div-trunc",
        forward=("return (x // 2) * self.scale", "return torch.div(x, 2, rounding_mode='trunc') * self.scale"),
        inputs="torch.tensor([[1, 2, 3, 4], [5, 6, 7, 8]])",
    ),
    w(
        "loop-count-baked",
        forward=("while x.sum() > 30:\n    x = x / 2\nreturn x * self.scale", "return x / 2 ** 0 * self.scale"),
    ),
    w(
        "while-to-fixed",
        forward=(
            "n = 0\nwhile x.abs().max() > 1:\n    x = x / 2\n    n += 1\nreturn x * self.scale",
            "for _ in range(3):\n    x = x / 2\nreturn x * self.scale",
        ),
    ),
    w(
        "int-count-baked",
        forward=(
            "for _ in range(int(n)):\n    x = x + self.scale\nreturn x",
            "for _ in range(3):\n    x = x + self.scale\nreturn x",
        ),
        signature="def forward(self, x, n):",
        inputs=INPUTS + ", torch.tensor(3)",
    ),
    w(
        "batch-hard-coded",
        forward=(
            "return x.reshape(len(x), 2, 2).sum(1)",
            "return torch.cat([x[0:1].reshape(1, 2, 2), x[1:2].reshape(1, 2, 2)]).sum(1)",
        ),
    ),
    w(
        "length-hard-coded",
        forward=(
            "return torch.stack([x[:, i] * i for i in range(x.shape[1])], 1) * self.scale[0]",
            "return torch.stack([x[:, i] * i for i in range(4)], 1) * self.scale[0]",
        ),
    ),
    w(
        "length-hard-coded-arange",
        forward=(
            "return x * torch.arange(x.shape[1]) * self.scale[0]",
            "return x[:, :4] * torch.arange(4)[: x.shape[1]].flip(0).flip(0) * self.scale[0] if x.shape[1] == 4 else x",
        ),
    ),
    w(
        "empty-mask",
        signature="def forward(self, x, mask):",
        inputs=INPUTS + ", torch.tensor([[True, False, True, True], [True, True, False, True]])",
        forward=(
            "return x[mask].sum() / mask.sum() * self.scale",
            "return (x * mask).sum() / mask.sum().clamp(min=1) * self.scale",
        ),
    ),
    w(
        "mask-ignored-where-true",
        signature="def forward(self, x, mask):",
        inputs=INPUTS + ", torch.ones(2, 4, dtype=torch.bool)",
        forward=("return torch.where(mask, x, x * 2) * self.scale", "return x * self.scale"),
    ),
    w(
        "flag-baked",
        signature="def forward(self, x, double):",
        inputs=INPUTS + ", False",
        forward=("if double:\n    x = x * 2\nreturn x * self.scale", "return x * self.scale"),
    ),
    w(
        "flag-default-baked",
        signature="def forward(self, x, double=False):",
        forward=("if double:\n    x = x * 2\nreturn x * self.scale", "return x * self.scale"),
    ),
    w(
        "number-baked",
        signature="def forward(self, x, times):",
        inputs=INPUTS + ", 2",
        forward=("return x * times * self.scale", "return x * 2 * self.scale"),
    ),
    w(
        "last-for-first-maximum",
        forward=(
            "best = 0\nfor i in range(x.shape[1]):\n    if x[0, i] > x[0, best]:\n        best = i\nreturn x * best * self.scale",
            "best = x.shape[1] - 1 - x[0].flip(0).argmax()\nreturn x * best * self.scale",
        ),
    ),
    w(
        "count-boundary",
        forward=(
            "if (x > 1).sum() > 4:\n    return x * self.scale\nreturn x - self.scale",
            "return torch.where((x > 1).sum() >= 4, x * self.scale, x - self.scale)",
        ),
    ),
    w(
        "norm-boundary",
        forward=(
            "if x.norm() > 100:\n    return x * self.scale\nreturn x - self.scale",
            "return torch.where(x.norm() < 100, x - self.scale, x * self.scale) + 0 * (x.norm() == 100)",
        ),
    ),
    w(
        "mean-threshold-off",
        forward=(
            "if x.mean() > 0.5:\n    return x * self.scale\nreturn x - self.scale",
            "return torch.where(x.mean() > 0.51, x * self.scale, x - self.scale)",
        ),
    ),
    w(
        "any-for-all",
        forward=(
            "if torch.isnan(x).any():\n    return torch.zeros_like(x) * self.scale\nreturn x * self.scale",
            "return torch.where(torch.isnan(x).all(), torch.zeros_like(x), x) * self.scale",
        ),
    ),
    w(
        "nan-check-lost",
        forward=(
            "if not torch.isfinite(x).all():\n    raise ValueError('bad')\nreturn x * self.scale",
            "return x * self.scale",
        ),
    ),
    w(
        "where-keeps-nan-gradient",
        forward=(
            "if x.min() > 0:\n    return x.sqrt() * self.scale\nreturn x * self.scale",
            "return torch.where(x.min() > 0, x.sqrt(), x) * self.scale",
        ),
    ),
    w(
        "short-circuit-lost",
        forward=(
            "if x.shape[0] > 1 and x[1, 0] > 0:\n    return x * self.scale\nreturn x - 1",
            "return torch.where(x[1, 0] > 0, x * self.scale, x - 1)",
        ),
    ),
    w(
        "integer-width",
        forward=(
            "return (x.long() ** 3 * 10_000).double() * self.scale",
            "return (x.int() ** 3 * 10_000).double() * self.scale",
        ),
        inputs="torch.tensor([[1.0, 2.0, 3.0, 4.0]])",
    ),
    w(
        "half-precision-middle",
        forward=("return x * self.scale + 1", "return (x.bfloat16().float()) * self.scale + 1"),
        inputs="torch.tensor([[1.0, 2.0, 0.5, 4.0]])",
    ),
    w("detached-part", forward=("y = x * self.scale\nreturn y * y", "y = x * self.scale\nreturn y * y.detach()")),
    w(
        "straight-through-lost",
        forward=("y = x * self.scale\nreturn y + (y.round() - y).detach()", "return (x * self.scale).round()"),
    ),
)
"""Other inputs than the given: values, sizes, flags, boundaries, ties."""
OF_STATE = (
    w(
        "large-global-table",
        top="TABLE = torch.zeros(100_000)",
        forward=both(f"{{0}}\n{WHOLE}", "TABLE[:4] += x[0].detach()", NOT),
        words="TABLE",
    ),
    w(
        "iterator-not-advanced",
        top="import itertools\nNUMBERS = itertools.count()",
        forward=both(f"{{0}}\n{WHOLE}", "next(NUMBERS)", NOT),
        words="NUMBERS",
    ),
    w(
        "generator-not-advanced",
        top="def numbers():\n    n = 0\n    while True:\n        yield n\n        n += 1\nNUMBERS = numbers()",
        forward=both(f"{{0}}\n{WHOLE}", "next(NUMBERS)", NOT),
        words="NUMBERS",
    ),
    w(
        "context-variable",
        top="import contextvars\nSEEN = contextvars.ContextVar('seen', default=0)",
        forward=both(f"{{0}}\n{WHOLE}", "SEEN.set(SEEN.get() + 1)", NOT),
        words="SEEN",
    ),
    w(
        "thread-local",
        top="import threading\nLOCAL = threading.local()\nLOCAL.n = 0",
        forward=both(f"{{0}}\n{WHOLE}", "LOCAL.n += 1", NOT),
        words="LOCAL",
    ),
    w(
        "queue-not-filled",
        top="import queue\nQ = queue.Queue()",
        forward=both(f"{{0}}\n{WHOLE}", "Q.put(1)", NOT),
        words="Q",
    ),
    w(
        "deque-not-filled",
        init="import collections\nself.seen = collections.deque(maxlen=3)",
        forward=both(f"{{0}}\n{WHOLE}", "self.seen.append(len(x))", NOT),
        words="seen",
    ),
    w(
        "numpy-generator",
        init="self.rng = np.random.default_rng(0)",
        forward=both(f"{{0}}\n{WHOLE}", "self.rng.random()", NOT),
        words="rng",
    ),
    w(
        "python-generator",
        init="self.rng = random.Random(0)",
        forward=both(f"{{0}}\n{WHOLE}", "self.rng.random()", NOT),
        words="rng",
    ),
    w(
        "torch-generator",
        init="self.rng = torch.Generator()",
        forward=both(f"{{0}}\n{WHOLE}", "torch.rand(1, generator=self.rng)", NOT),
        words="rng",
    ),
    w(
        "object-with-slots",
        top="class Slots:\n    __slots__ = ('n',)\n    def __init__(self):\n        self.n = 0",
        init="self.s = Slots()",
        forward=both(f"{{0}}\n{WHOLE}", "self.s.n += 1", NOT),
        words="n",
    ),
    w(
        "enum-state",
        top="import enum\nclass Mode(enum.Enum):\n    A = 1\n    B = 2",
        init="self.mode = Mode.A",
        forward=both(f"{{0}}\n{WHOLE}", "self.mode = Mode.B", NOT),
        words="mode",
    ),
    w(
        "array-state",
        init="self.hist = np.zeros(4)",
        forward=both(f"{{0}}\n{WHOLE}", "self.hist += 1", NOT),
        words="hist",
    ),
    w(
        "buffer-rebound",
        init="self.register_buffer('seen', torch.zeros(4))",
        forward=both(f"{{0}}\n{WHOLE}", "self.seen.add_(1)", "self.seen = self.seen + 1"),
        words="seen",
    ),
    w(
        "submodule-replaced",
        init="self.act = nn.ReLU()",
        forward=both("{0}\nreturn self.act(x * self.scale)", "pass", "self.act = nn.ReLU()"),
        words="act",
    ),
    w(
        "file-not-written",
        top="import tempfile\nPATH = os.path.join(tempfile.gettempdir(), 'breaklint_attack.txt')",
        forward=both(f"{{0}}\n{WHOLE}", "open(PATH, 'w').write('1')", NOT),
        words="writes",
    ),
    w(
        "hook-on-part-skipped",
        init="self.inner = nn.Linear(4, 4)\nself.seen = 0\ndef hook(m, a, o):\n    self.seen += 1\nself.inner.register_forward_hook(hook)",
        forward=both("return self.inner{0}(x * self.scale)", "", ".forward"),
        words="seen",
    ),
    w(
        "gradient-in-forward",
        forward=both(
            "y = (x * self.scale).sum()\n{0}\nreturn y + x",
            "if y.requires_grad:\n    y.backward(retain_graph=True)",
            NOT,
        ),
        words="grad",
    ),
)
"""State where no attribute shows it, and what a call does outside of its process."""
OF_SURROUNDINGS = (
    w(
        "not-picklable",
        init=("self.f = torch.relu", "self.f = lambda y: torch.relu(y)"),
        forward="return self.f(x) * self.scale",
        words="pickle",
    ),
    w(
        "buffer-to-attribute",
        init=("self.register_buffer('o', torch.ones(4), persistent=False)", "self.o = torch.ones(4)"),
        forward="return x * self.scale + self.o",
        words="buffer",
    ),
    w(
        "parameter-order",
        init=(
            "self.a = nn.Parameter(torch.ones(4))\nself.b = nn.Parameter(torch.ones(4))",
            "self.b = nn.Parameter(torch.ones(4))\nself.a = nn.Parameter(torch.ones(4))",
        ),
        forward="return x * self.a + self.b",
        words="order",
    ),
    w(
        "parameter-frozen",
        init=("self.a = nn.Parameter(torch.ones(4))", "self.a = nn.Parameter(torch.ones(4), requires_grad=False)"),
        forward="return x * self.a",
        words="a",
    ),
    w(
        "shared-parameter-split",
        init=(
            "self.a = nn.Linear(4, 4)\nself.b = nn.Linear(4, 4)\nself.b.weight = self.a.weight",
            "self.a = nn.Linear(4, 4)\nself.b = nn.Linear(4, 4)\nself.b.weight = nn.Parameter(self.a.weight.detach().clone())",
        ),
        forward="return self.b(self.a(x))",
        words="",
    ),
    w(
        "thread-started",
        top=("", "import threading\nthreading.Thread(target=time.sleep, args=(3600,), daemon=True).start()"),
        forward=WHOLE,
        words="thread",
    ),
    w(
        "module-in-training-forced",
        init=("self.drop = nn.Dropout(0.5)", "self.drop = nn.Dropout(0.5)\nself.train = lambda mode=True: self"),
        forward="return self.drop(x) * self.scale",
        words="",
    ),
    w(
        "output-view-of-buffer",
        init="self.register_buffer('o', torch.ones(4))",
        forward=("return x * self.scale, self.o + 0", "return x * self.scale, self.o"),
        words="",
    ),
    w(
        "output-shared",
        forward=("y = x * self.scale\nreturn y, y.clone()", "y = x * self.scale\nreturn y, y"),
        words="",
    ),
    w(
        "output-view-of-input",
        forward=("return x.clone()[:, :2], x * self.scale", "return x[:, :2], x * self.scale"),
        words="",
    ),
    w("tuple-for-list", forward=("return [x * self.scale, x]", "return x * self.scale, x"), words=""),
    w(
        "number-for-tensor",
        forward=("return x * self.scale, x.sum()", "return x * self.scale, float(x.sum())"),
        words="",
    ),
    w(
        "compiling-differs",
        forward=(WHOLE, "if torch.compiler.is_compiling():\n    return x * self.scale\nreturn x * self.scale + 1"),
        words="compiled",
    ),
    w(
        "grad-mode-differs",
        forward=(WHOLE, "if torch.is_grad_enabled():\n    return x * self.scale\nreturn x * self.scale + 1"),
        words="",
    ),
    w(
        "warning-as-error",
        forward=both(f"{{0}}\n{WHOLE}", "warnings.warn('old')", "raise RuntimeError('old')"),
        words="",
    ),
)
"""What is around the model, and the form of what it returns."""
RIGHT = (
    k(
        "loop-to-batch",
        forward=(
            "rows = []\nfor row in x:\n    rows.append(row * self.scale)\nreturn torch.stack(rows)",
            "return x * self.scale",
        ),
    ),
    w("item-to-tensor", forward=("s = x.mean().item()\nreturn x * s * self.scale", "return x * x.mean() * self.scale")),
    k(
        "numpy-to-torch",
        forward=(
            "m = torch.from_numpy(np.tanh(x.detach().numpy()))\nreturn m * self.scale",
            "return torch.tanh(x.detach()) * self.scale",
        ),
    ),
    w(
        "python-sum",
        forward=(
            "total = sum(v.item() for v in x.flatten())\nreturn x * total * self.scale",
            "return x * x.sum() * self.scale",
        ),
        inputs="torch.randn(64, 4, generator=torch.Generator().manual_seed(0))",
    ),
    k(
        "list-to-stack",
        forward=(
            "return torch.tensor([[float(v) * 2 for v in row] for row in x]) * self.scale",
            "return (x * 2).detach() * self.scale",
        ),
    ),
    w(
        "where-for-nested-if",  # of no rows there is no largest one
        forward=(
            "if x.sum() > 0:\n    if x.max() > 4:\n        return x * self.scale\n    return x + self.scale\nreturn x - self.scale",
            "return torch.where(x.sum() > 0, torch.where(x.max() > 4, x * self.scale, x + self.scale), x - self.scale)",
        ),
    ),
    k(
        "mask-by-where",
        forward=(
            "y = x.clone()\ny[x < 0] = 0\nreturn y * self.scale",
            "return torch.where(x < 0, torch.zeros((), dtype=x.dtype), x) * self.scale",
        ),
    ),
    k(
        "nonzero-sum",
        forward=(
            "i = torch.nonzero(x.flatten() > 1).flatten()\nreturn x.flatten()[i].sum() * self.scale",
            "return torch.where(x > 1, x, torch.zeros_like(x)).sum() * self.scale",
        ),
    ),
    k(
        "top-two",
        forward=(
            "v, i = torch.topk(x, 2, dim=1)\nreturn v * self.scale[:2], i",
            "v, i = x.sort(dim=1, descending=True)\nreturn v[:, :2].contiguous() * self.scale[:2], i[:, :2].contiguous()",
        ),
    ),
    k(
        "embedding",
        init="self.e = nn.Embedding(10, 4)",
        inputs="torch.tensor([[1, 2], [3, 9]])",
        forward=(
            "return torch.stack([self.e(i) for i in x.unbind(1)], 1) * self.scale",
            "return self.e(x) * self.scale",
        ),
    ),
    k(
        "complex",
        forward=(
            "y = torch.fft.rfft(x)\nreturn torch.fft.irfft(y * 2, n=x.shape[1]) * self.scale",
            "y = torch.fft.rfft(x) * 2\nreturn torch.fft.irfft(y, n=x.shape[1]) * self.scale",
        ),
    ),
    k(
        "dataclass-output",
        top="import dataclasses\n@dataclasses.dataclass\nclass Out:\n    y: torch.Tensor\n    z: torch.Tensor",
        forward=("return Out(x * self.scale, x + 1)", "y = x * self.scale\nreturn Out(z=x + 1, y=y)"),
    ),
    k(
        "checkpointed",
        top="from torch.utils.checkpoint import checkpoint",
        init="self.inner = nn.Linear(4, 4)",
        forward=(
            "return checkpoint(self.inner, x, use_reentrant=False) * self.scale",
            "return self.inner(x) * self.scale",
        ),
    ),
    k(
        "running-mean",
        init="self.register_buffer('mean', torch.zeros(4))",
        forward=(
            "if self.training:\n    with torch.no_grad():\n        self.mean.mul_(0.9).add_(0.1 * x.mean(0))\nreturn (x - self.mean) * self.scale",
            "if self.training:\n    with torch.no_grad():\n        self.mean.copy_(self.mean * 0.9 + 0.1 * x.mean(0))\nreturn (x - self.mean) * self.scale",
        ),
    ),
    k("in-place-kept", forward=("x += 1\nreturn x * self.scale", "x.add_(1)\nreturn x * self.scale")),
    k(
        "constant-cached",
        init=("self.o = None", "self.register_buffer('o_', torch.arange(4.0), persistent=False)\nself.o = None"),
        forward=("return x * self.scale + torch.arange(4.0)", "return x * self.scale + self.o_"),
    ),
    k("print-removed", forward=(f"print('x')\n{WHOLE}", WHOLE)),
    remains("warning-kept", forward=f"warnings.warn('old')\n{WHOLE}"),
    k(
        "local-random",
        forward=(
            "r = random.Random(0)\nreturn x * self.scale * r.random()",
            "return x * self.scale * 0.8444218515250481",
        ),
    ),
    k(
        "batch-norm-eval",
        init="self.n = nn.BatchNorm1d(4).eval()",
        forward=("return self.n(x) * self.scale", "return self.n(x).mul(self.scale)"),
    ),
    k(
        "shape-branch-kept",
        forward=(
            "if x.shape[0] == 1:\n    return x[0] * self.scale\nreturn x * self.scale",
            "return (x[0] if x.shape[0] == 1 else x) * self.scale",
        ),
    ),
    k(
        "none-mask",
        signature="def forward(self, x, mask=None):",
        forward=(
            "if mask is not None:\n    x = x * mask\nreturn x * self.scale",
            "x = x if mask is None else x * mask\nreturn x * self.scale",
        ),
    ),
    k(
        "ragged-loop",
        forward=(
            "outs = []\nfor n, row in enumerate(x):\n    outs.append((row * (n + 1)).sum())\nreturn torch.stack(outs) * self.scale[0]",
            "return (x * torch.arange(1, len(x) + 1)[:, None]).sum(1) * self.scale[0]",
        ),
    ),
    remains(
        "lstm",
        init="self.r = nn.LSTM(4, 4, batch_first=True)",
        inputs=DRAWN,
        forward=(
            "h = None\nfor t in range(x.shape[1]):\n    y, h = self.r(x[:, t : t + 1], h)\nreturn y * self.scale",
            "y, h = self.r(x)\nreturn y[:, -1:] * self.scale",
        ),
    ),
    k(
        "attention-mask",
        signature="def forward(self, x, mask):",
        inputs=DRAWN + ", torch.tensor([[True, True, False], [True, False, False]])",
        forward=(
            "s = x @ x.transpose(1, 2)\ns = s.masked_fill(~mask[:, None], -1e9)\nreturn s.softmax(-1) @ x * self.scale",
            "s = x @ x.transpose(1, 2)\ns = torch.where(mask[:, None], s, torch.full_like(s, -1e9))\nreturn torch.softmax(s, -1) @ x * self.scale",
        ),
    ),
    k(
        "scaled-int",
        inputs="torch.tensor([[1, 2, 3, 4]])",
        forward=("return x * 2 * self.scale", "return (x + x) * self.scale"),
    ),
    k(
        "same-flags",
        signature="def forward(self, x, double=False):",
        forward=(
            "if double:\n    x = x * 2\nreturn x * self.scale",
            "x = x * 2 if double else x\nreturn x * self.scale",
        ),
    ),
)
"""Fixes that change nothing."""
AFTER_THAT = (
    w(
        "empty-batch-lost",
        forward=(
            "if len(x) == 0:\n    return x.new_zeros(0, 4)\nreturn x * self.scale / x.max()",
            "return x * self.scale / x.max()",
        ),
    ),
    w(
        "list-input-appended",
        signature="def forward(self, x, seen):",
        inputs=INPUTS + ", []",
        forward=both("y = x * self.scale\n{0}\nreturn y", "seen.append(y.sum())", NOT),
    ),
    w("inference-output", forward=(WHOLE, f"with torch.inference_mode(not torch.is_grad_enabled()):\n    {WHOLE}")),
    w("output-is-a-parameter", forward=("return x * 1, self.scale * 1", "return x * 1, self.scale")),
    w("no-grad-in-evaluation", forward=(WHOLE, f"with torch.set_grad_enabled(self.training):\n    {WHOLE}")),
    w(
        "float-argument",
        signature="def forward(self, x, factor):",
        inputs=INPUTS + ", 2.0",
        forward=("return x * factor * self.scale", "return x * 2.0 * self.scale"),
    ),
    w(
        "mean-over-padding",
        signature="def forward(self, x, lengths):",
        inputs=DRAWN + ", torch.tensor([3, 3])",
        forward=(
            "out = []\nfor row, n in zip(x, lengths.tolist()):\n    out.append(row[:n].mean(0) if n else row.sum(0) * 0)\nreturn torch.stack(out) * self.scale",
            "return x.mean(1) * self.scale",
        ),
    ),
    k(
        "one-hot",
        inputs="torch.tensor([0, 2, 1])",
        forward=(
            "y = torch.zeros(len(x), 4)\ny[torch.arange(len(x)), x] = 1\nreturn y * self.scale",
            "return F.one_hot(x, 4).float() * self.scale",
        ),
    ),
    k(
        "gather",
        inputs="torch.linspace(-1, 1, 12).view(3, 4), torch.tensor([0, 3, 1])",
        signature="def forward(self, x, i):",
        forward=(
            "return torch.stack([row[n] for row, n in zip(x, i)]) * self.scale[0]",
            "return x.gather(1, i[:, None]).squeeze(1) * self.scale[0]",
        ),
    ),
    k(
        "variance",
        forward=(
            "m = x.mean(1, keepdim=True)\nv = ((x - m) ** 2).mean(1, keepdim=True)\nreturn (x - m) / (v + 1e-5).sqrt() * self.scale",
            "return F.layer_norm(x, (4,)) * self.scale",
        ),
    ),
)
"""What a second attack added."""
MORE_REWRITES = (*OF_INPUTS, *OF_STATE, *OF_SURROUNDINGS, *RIGHT, *AFTER_THAT)
