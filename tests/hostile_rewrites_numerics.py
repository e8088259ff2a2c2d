"""A third attack: constants in the place of arguments and attributes, then numerics, aliases, state and exceptions."""

# ruff: noqa: E501 - the long lines are programs

from __future__ import annotations

from hostile_rewrites import INPUTS
from hostile_rewrites_by_hand import k, remains, w

I8 = "torch.tensor([[100, 27, 3, 4]], dtype=torch.int8)"
INT = "torch.tensor([[1, 2, 3, 4], [5, 6, 7, 8]])"
B = "self.register_buffer('seen', torch.zeros(4))"
BAKED = (
    w(
        "tuple-argument-baked",
        signature="def forward(self, x, size):",
        inputs=INPUTS + ", (2, 3)",
        forward=("return x * size[0] * self.scale + size[1]", "return x * 2 * self.scale + 3"),
    ),
    w(
        "nested-argument-baked",
        signature="def forward(self, x, how):",
        inputs=INPUTS + ", {'by': [2.0, 0.5]}",
        forward=("return x * how['by'][1] * self.scale", "return x * 0.5 * self.scale"),
    ),
    w(
        "string-argument-baked",
        signature="def forward(self, x, how):",
        inputs=INPUTS + ", 'sum'",
        forward=(
            "if how == 'mean':\n    return x.mean() * self.scale\nreturn x.sum() * self.scale",
            "return x.sum() * self.scale",
        ),
    ),
    w(
        "default-number-baked",
        signature="def forward(self, x, times=2):",
        forward=("return x * times * self.scale", "return x * 2 * self.scale"),
    ),
    w(
        "attribute-baked",
        init="self.limit = 0.25",
        forward=("return x.clamp(min=self.limit) * self.scale", "return x.clamp(min=0.25) * self.scale"),
    ),
    w(
        "attribute-tuple-baked",
        init="self.size = (2, 2)",
        forward=(
            "return x.reshape(*self.size, -1).mean(0) * self.scale[:2]",
            "return x.reshape(2, 2, 2).mean(0) * self.scale[:2]",
        ),
    ),
    w(
        "attribute-flag-baked",
        init="self.double = False",
        forward=("if self.double:\n    x = x * 2\nreturn x * self.scale", "return x * self.scale"),
    ),
    w(
        "attribute-text-baked",
        init="self.how = 'sum'",
        forward=("return (x.sum() if self.how == 'sum' else x.mean()) * self.scale", "return x.sum() * self.scale"),
    ),
    w(
        "attribute-of-a-class-baked",
        top="class Limits:\n    low = 1.5",
        init="self.limits = Limits()\nself.limits.high = 4.0",
        forward=("return x.clamp(max=self.limits.high) * self.scale", "return x.clamp(max=4.0) * self.scale"),
    ),
    w(
        "config-baked",
        top="from types import SimpleNamespace",
        init="self.config = SimpleNamespace(alpha=0.5, beta=2)",
        forward=("return x * self.config.alpha * self.scale", "return x * 0.5 * self.scale"),
    ),
    w(
        "settings-dict-baked",
        init="self.settings = {'alpha': 0.5}",
        forward=("return x * self.settings['alpha'] * self.scale", "return x * 0.5 * self.scale"),
    ),
    w(
        "loop-count-attribute-baked",
        init="self.steps = 2",
        forward=("for _ in range(self.steps):\n    x = x * self.scale\nreturn x", "return x * self.scale * self.scale"),
    ),
    k(
        "attribute-hoisted",
        init=("self.hidden = 4", "self.hidden = 4\nself.factor = self.hidden ** -0.5"),
        forward=("return x * self.hidden ** -0.5 * self.scale", "return x * self.factor * self.scale"),
    ),
    k(
        "attribute-kept",
        init="self.steps = 2\nself.limit = 0.25",
        forward=(
            "for _ in range(self.steps):\n    x = x.clamp(min=self.limit) * self.scale\nreturn x",
            "n = self.steps\nlow = self.limit\nfor _ in range(n):\n    x = torch.clamp(x, min=low) * self.scale\nreturn x",
        ),
    ),
    k(
        "tuple-argument-kept",
        signature="def forward(self, x, size):",
        inputs=INPUTS + ", (2, 3)",
        forward=("return x * size[0] * self.scale + size[1]", "a, b = size\nreturn x * a * self.scale + b"),
    ),
    k(
        "string-argument-kept",
        signature="def forward(self, x, how='sum'):",
        forward=(
            "if how == 'mean':\n    return x.mean() * self.scale\nreturn x.sum() * self.scale",
            "return (x.mean() if how == 'mean' else x.sum()) * self.scale",
        ),
    ),
)
NUMERICS = (
    # dtype promotion
    w(
        "half-sum-in-float",
        inputs="torch.linspace(-2, 2, 8).view(2, 4).half()",
        forward=("return x.sum(0) * self.scale.half()", "return x.float().sum(0) * self.scale.half()"),
    ),
    w(
        "python-number-to-tensor-promotes",
        inputs="torch.linspace(-2, 2, 8).view(2, 4).half()",
        forward=("return x * 0.5", "return x * torch.full((4,), 0.5)"),
    ),
    k(
        "python-number-to-0d-tensor",
        inputs="torch.linspace(-2, 2, 8).view(2, 4)",
        forward=("return x * 0.5 * self.scale", "return x * torch.tensor(0.5) * self.scale"),
    ),
    w(
        "int-mean-truncated",
        inputs=INT,
        forward=("return x.float().mean(0) * self.scale", "return (x.sum(0) // len(x)) * self.scale"),
    ),
    w(
        "int8-overflow-lost",
        inputs=I8,
        forward=("return (x + x).sum() * self.scale", "return (x.int() + x.int()).sum() * self.scale"),
    ),
    w(
        "int32-square-overflow",
        inputs="torch.tensor([[3, 50000, 7, 2]], dtype=torch.int32)",
        forward=("return (x * x).float() * self.scale", "return x.float() ** 2 * self.scale"),
    ),
    w(
        "int-power-negative",
        inputs=INT,
        forward=(
            "return torch.where(x > 0, 1.0 / x.clamp(min=1), 0.0) * self.scale",
            "return torch.where(x != 0, 1.0 / x, 0.0) * self.scale",
        ),
    ),
    # aliases, in place
    w(
        "input-changed-in-place",
        forward=("y = x.clone()\ny.mul_(2)\nreturn y * self.scale", "x.mul_(2)\nreturn x * self.scale"),
    ),
    w("input-change-lost", forward=("x.clamp_(min=0)\nreturn x * self.scale", "return x.clamp(min=0) * self.scale")),
    w(
        "view-for-copy",
        forward=("return x.reshape(-1).clone(), x * self.scale", "return x.reshape(-1), x * self.scale"),
    ),
    w(
        "expanded-output",
        forward=(
            "return self.scale.detach().repeat(2, 1), x * self.scale",
            "return self.scale.detach().expand(2, 4), x * self.scale",
        ),
    ),
    k(
        "contiguous-then-view",
        forward=(
            "return (x.t() * 2).contiguous().view(-1)[:4] * self.scale",
            "return (x.t() * 2).reshape(-1)[:4] * self.scale",
        ),
    ),
    w("transposed-output", forward=("return (x * self.scale).t().contiguous()", "return (x * self.scale).t()")),
    k("in-place-on-own", forward=("y = x * self.scale\ny += 1\nreturn y", "return x * self.scale + 1")),
    w(
        "diagonal-written-through",
        inputs="torch.eye(4) + 1",
        forward=(
            "x.diagonal().zero_()\nreturn x * self.scale",
            "d = x.diagonal().clone().zero_()\nreturn (x - torch.diag(x.diagonal())) * self.scale",
        ),
    ),
    # state, buffers
    w(
        "buffer-in-train-only",
        init=B,
        forward=(
            "if self.training:\n    self.seen += x.detach().mean(0)\nreturn x * self.scale",
            "return x * self.scale",
        ),
    ),
    w(
        "buffer-momentum-changed",
        init=B,
        forward=(
            "self.seen.mul_(0.9).add_(x.detach().mean(0) * 0.1)\nreturn x * self.scale + self.seen",
            "self.seen.mul_(0.99).add_(x.detach().mean(0) * 0.1)\nreturn x * self.scale + self.seen",
        ),
    ),
    k(
        "buffer-lerp",
        init=B,
        forward=(
            "self.seen.mul_(0.9).add_(x.detach().mean(0) * 0.1)\nreturn x * self.scale + self.seen",
            "self.seen.lerp_(x.detach().mean(0), 0.1)\nreturn x * self.scale + self.seen",
        ),
    ),
    w(
        "second-call-differs",
        init="self.first = True",
        forward=(
            "if self.first:\n    self.first = False\n    return x * self.scale\nreturn x * self.scale * 2",
            "return x * self.scale",
        ),
    ),
    w(
        "third-call-differs",
        init="self.calls = 0",
        forward=(
            "self.calls += 1\nif self.calls > 2:\n    return -x * self.scale\nreturn x * self.scale",
            "self.calls += 1\nreturn x * self.scale",
        ),
    ),
    w(
        "buffer-persistent-lost",
        init=("self.register_buffer('m', torch.ones(4))", "self.register_buffer('m', torch.ones(4), persistent=False)"),
        forward="return x * self.scale * self.m",
    ),
    w(
        "parameter-for-buffer",
        init=("self.register_buffer('m', torch.ones(4))", "self.m = nn.Parameter(torch.ones(4))"),
        forward="return x * self.scale * self.m",
    ),
    w(
        "requires-grad-lost",
        init=("self.b = nn.Parameter(torch.zeros(4))", "self.b = nn.Parameter(torch.zeros(4), requires_grad=False)"),
        forward="return x * self.scale + self.b",
    ),
    # modes
    w(
        "dropout-always",
        init="self.p = 0.5",
        forward=("return F.dropout(x, 0.5, self.training) * self.scale", "return F.dropout(x, 0.5, True) * self.scale"),
    ),
    w(
        "eval-clamp",
        forward=(
            "y = x * self.scale\nif not self.training:\n    y = y.clamp(max=100)\nreturn y",
            "return x * self.scale",
        ),
    ),
    k(
        "dropout-module-for-functional",
        init=("", "self.drop = nn.Dropout(0.5)"),
        forward=("return F.dropout(x, 0.5, self.training) * self.scale", "return self.drop(x) * self.scale"),
    ),
    # exceptions
    w(
        "assert-lost",
        forward=(
            "assert x.dim() == 2 and x.shape[1] == 4, x.shape\nreturn x.sum() * self.scale",
            "return x.sum() * self.scale",
        ),
    ),
    w(
        "exception-type",
        forward=(
            "if x.shape[0] == 3:\n    raise ValueError('three')\nreturn x * self.scale",
            "if x.shape[0] == 3:\n    raise RuntimeError('three')\nreturn x * self.scale",
        ),
    ),
    w(
        "finite-check-lost",
        forward=(
            "if not torch.isfinite(x).all():\n    raise ValueError('not finite')\nreturn x * self.scale",
            "return x * self.scale",
        ),
    ),
    k(
        "assert-kept",
        forward=(
            "assert x.shape[-1] == 4\nreturn x * self.scale",
            "if x.shape[-1] != 4:\n    raise AssertionError\nreturn x * self.scale",
        ),
    ),
    # NaN, inf, empty
    w("nan-as-zero", forward=("return torch.where(x.isnan(), 0.0, x) * self.scale", "return x * self.scale")),
    w(
        "softmax-by-hand",
        forward=("return x.softmax(-1) * self.scale", "return (x.exp() / x.exp().sum(-1, keepdim=True)) * self.scale"),
    ),
    k(
        "logsumexp",
        forward=(
            "m = x.max(-1, keepdim=True).values\nreturn ((x - m).exp().sum(-1, keepdim=True).log() + m) * self.scale",
            "return torch.logsumexp(x, -1, keepdim=True) * self.scale",
        ),
    ),
    w(
        "mean-of-none",
        forward=("return (x.mean(0) if len(x) else x.new_zeros(4)) * self.scale", "return x.mean(0) * self.scale"),
    ),
    w(
        "sign-of-zero",
        inputs="torch.tensor([[0.0, 0.5, 2.0, 3.0]])",
        forward=("return torch.sign(x) * self.scale", "return torch.where(x > 0, 1.0, -1.0) * self.scale"),
    ),
    w(
        "negative-zero",
        inputs="torch.tensor([[0.0, 0.5, 2.0, 3.0]])",
        forward=(
            "return 1 / (x * 0) * self.scale.detach() if False else torch.copysign(torch.ones(4), x) * self.scale",
            "return torch.where(x >= 0, 1.0, -1.0) * self.scale",
        ),
    ),
    # boundaries
    w(
        "clamp-bounds",
        forward=(
            "return torch.where(x >= 2, x * 2, x) * self.scale",
            "return torch.where(x > 2, x * 2, x) * self.scale",
        ),
    ),
    w(
        "argmax-tie",
        forward=("return x.argmax(-1) * self.scale[0]", "return (3 - x.flip(-1).argmax(-1)) * self.scale[0]"),
    ),
    w(
        "round-half",
        inputs="torch.tensor([[0.5, 1.5, 2.3, 3.0]])",
        forward=("return torch.round(x) * self.scale", "return torch.floor(x + 0.5) * self.scale"),
    ),
    w(
        "sort-stable-lost",
        inputs="torch.tensor([[1.0, 0.5, 1.0, 0.5]])",
        forward=(
            "return x.sort(stable=True).indices * self.scale",
            "return (3 - x.flip(-1).sort(stable=True).indices) * self.scale",
        ),
    ),
    # randomness
    w("extra-draw", forward=("return x * self.scale", "torch.rand(1)\nreturn x * self.scale")),
    w(
        "draws-in-other-order",
        forward=(
            "a = torch.rand(4)\nb = torch.rand(4)\nreturn x * self.scale + a - b",
            "b = torch.rand(4)\na = torch.rand(4)\nreturn x * self.scale + a - b",
        ),
    ),
    remains(
        "reseeds",
        forward=(
            "return x * self.scale + torch.rand(4)",
            "torch.manual_seed(1)\nreturn x * self.scale + torch.rand(4)",
        ),
    ),
    w("numpy-draw-lost", forward=("n = np.random.rand()\nreturn x * self.scale", "return x * self.scale")),
    w(
        "draws-in-the-order-of-strides",
        forward=(
            "a = torch.rand(2, 4)\nreturn x * self.scale + a",
            "a = torch.rand_like(x)\nreturn x * self.scale + a",
        ),
    ),
    # process
    w(
        "threads-changed",
        forward=(
            "return x * self.scale",
            "torch.set_num_threads(1 if torch.get_num_threads() != 1 else 2)\nreturn x * self.scale",
        ),
    ),
    w("warning-lost-as-filter", top=("", "warnings.simplefilter('ignore')"), forward="return x * self.scale"),
    w(
        "dtype-default-changed",
        top=("", ""),
        forward=("return x * self.scale", "torch.set_default_dtype(torch.float64)\nreturn x * self.scale"),
    ),
    # hooks, gradients
    w(
        "forward-hook-lost",
        init=(
            "self.fc = nn.Linear(4, 4)\nself.fc.register_forward_hook(lambda m, i, o: o * 2)",
            "self.fc = nn.Linear(4, 4)\nself.fc.register_forward_hook(lambda m, i, o: o * 2)",
        ),
        forward=("return self.fc(x) * self.scale", "return F.linear(x, self.fc.weight, self.fc.bias) * self.scale"),
    ),
    w(
        "detach-added",
        forward=("return (x * self.scale) * self.scale", "return (x * self.scale.detach()) * self.scale"),
    ),
    w(
        "gradient-of-clamp",
        forward=(
            "return torch.clamp(x, -1, 1) * self.scale",
            "return (x + (torch.clamp(x, -1, 1) - x).detach()) * self.scale",
        ),
    ),
    w(
        "abs-gradient-at-zero",
        inputs="torch.tensor([[0.0, 0.5, 2.0, 3.0]])",
        forward=("return x.abs() * self.scale", "return torch.where(x >= 0, x, -x) * self.scale"),
    ),
    w(
        "sqrt-where-nan-gradient",
        inputs="torch.tensor([[0.0, 0.5, 2.0, 3.0]])",
        forward=(
            "return torch.where(x > 0, x.clamp(min=1e-6).sqrt(), 0.0) * self.scale",
            "return torch.where(x > 0, x.sqrt(), 0.0) * self.scale",
        ),
    ),
    k(
        "where-safe-gradient",
        inputs="torch.tensor([[0.0, 0.5, 2.0, 3.0]])",
        forward=(
            "out = torch.zeros_like(x)\nm = x > 0\nout[m] = x[m].log()\nreturn out * self.scale",
            "m = x > 0\nreturn torch.where(m, torch.where(m, x, 1.0).log(), 0.0) * self.scale",
        ),
    ),
    # generators, containers
    k(
        "generator-to-list",
        forward=(
            "return sum(x * n for n in range(3)) * self.scale",
            "total = 0\nfor n in [0, 1, 2]:\n    total = total + x * n\nreturn total * self.scale",
        ),
    ),
    w("dict-order", forward=("return {'b': x * 1, 'a': x * self.scale}", "return {'a': x * self.scale, 'b': x * 1}")),
    w(
        "namedtuple-lost",
        top="from collections import namedtuple\nOut = namedtuple('Out', 'a b')",
        forward=("return Out(x * 1, x * self.scale)", "return x * 1, x * self.scale"),
    ),
    k(
        "enumerate-zip",
        forward=(
            "out = []\nfor i, r in enumerate(x):\n    out.append(r * self.scale + i)\nreturn torch.stack(out)",
            "return x * self.scale + torch.arange(len(x)).unsqueeze(1)",
        ),
    ),
    k(
        "cat-for-append",
        forward=(
            "rows = [r * self.scale for r in x]\nreturn torch.cat([r[None] for r in rows])",
            "return x * self.scale",
        ),
    ),
    k(
        "masked-fill",
        forward=("y = x.clone()\ny[x < 1] = 0\nreturn y * self.scale", "return x.masked_fill(x < 1, 0) * self.scale"),
    ),
    k(
        "item-to-size",
        forward=(
            "n = int(torch.tensor(x.shape[1]).item())\nreturn x.view(-1, n) * self.scale",
            "return x.view(-1, x.shape[1]) * self.scale",
        ),
    ),
    k(
        "einsum-for-loop",
        init="self.m = nn.Parameter(torch.eye(4) + 0.1)",
        forward=(
            "return torch.stack([self.m @ r for r in x]) * self.scale",
            "return torch.einsum('ij,bj->bi', self.m, x) * self.scale",
        ),
    ),
    k(
        "cumsum-for-loop",
        forward=(
            "acc, out = torch.zeros(4), []\nfor r in x:\n    acc = acc + r\n    out.append(acc)\nreturn torch.stack(out) * self.scale",
            "return x.cumsum(0) * self.scale",
        ),
    ),
    k(
        "any-to-tensor",
        forward=(
            "if bool((x > 100).any()):\n    return x * 2 * self.scale\nreturn x * self.scale",
            "return torch.where((x > 100).any(), x * 2, x) * self.scale",
        ),
    ),
    k("try-finally", forward=("try:\n    return x * self.scale\nfinally:\n    pass", "return x * self.scale")),
    k(
        "isinstance-check",
        forward=(
            "if isinstance(x, torch.Tensor) and x.is_floating_point():\n    return x * self.scale\nreturn x.float() * self.scale",
            "return (x if x.is_floating_point() else x.float()) * self.scale",
        ),
    ),
    k(
        "buffer-index-write",
        init="self.register_buffer('table', torch.zeros(4))",
        forward=(
            "for i in range(4):\n    self.table[i] = x.detach()[0, i]\nreturn x * self.scale",
            "self.table.copy_(x.detach()[0])\nreturn x * self.scale",
        ),
    ),
    k(
        "train-eval-norm",
        init="self.bn = nn.BatchNorm1d(4)",
        forward=("y = self.bn(x)\nreturn y * self.scale", "return self.scale * self.bn(x)"),
    ),
)
THIRD_ATTACK = (*BAKED, *NUMERICS)
