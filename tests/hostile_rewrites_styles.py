"""A fourth attack: optimizers, hooks, aliases, promotion, layouts, types, keys, generators, exceptions, modes."""

# ruff: noqa: E501 - the long lines are programs

from __future__ import annotations

from hostile_rewrites import UNCOMPILED, Rewrite
from hostile_rewrites_by_hand import k, remains, w

IMAGE = "torch.linspace(-1, 1, 96).view(2, 3, 4, 4).contiguous(memory_format=torch.channels_last)"
SCALED = "return x * self.scale"
B = "self.register_buffer('seen', torch.zeros(4))"
TUPLE = "import collections\nPair = collections.namedtuple('Pair', 'left right')\nOther = collections.namedtuple('Other', 'left right')"
DOUBLE = "class Twice(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x):\n        ctx.save_for_backward(x)\n        return x * x\n\n    @staticmethod\n    def backward(ctx, grad):\n        (x,) = ctx.saved_tensors\n        return {0}\n"
STEP = "self.opt = torch.optim.SGD(self.parameters(), lr=0.1{0})"
INNER = "y = (x.detach() * self.scale).sum()\nwith torch.enable_grad():\n    y = ((x.detach() * self.scale) ** 2).sum()\n    y.backward()\nself.opt.step()\nself.opt.zero_grad()\nreturn x * self.scale.detach()"
OPTIMIZERS = (
    w("optimizer-momentum-lost", init=(STEP.replace("{0}", ", momentum=0.9"), STEP.replace("{0}", "")), forward=INNER),
    w(
        "optimizer-rate",
        init=STEP.replace("{0}", ""),
        forward=(INNER, INNER.replace("self.opt.step()", "self.opt.param_groups[0]['lr'] = 0.05\nself.opt.step()")),
    ),
    w(
        "parameter-in-no-optimizer",
        init=(
            STEP.replace("{0}", ""),
            "self.opt = torch.optim.SGD([nn.Parameter(self.scale.detach().clone())], lr=0.1)",
        ),
        forward=INNER,
    ),
    w(
        "weight-decay-changed",
        init=(STEP.replace("{0}", ", weight_decay=0.1"), STEP.replace("{0}", ", weight_decay=0.2")),
        forward=SCALED,
    ),
    k(
        "optimizer-kept",
        init=STEP.replace("{0}", ""),
        forward=("return x * self.scale", "return torch.mul(x, self.scale)"),
    ),
)
HOOKS = (
    w(
        "tensor-hook-order",
        forward=(
            "x = x * self.scale\nif x.requires_grad:\n    x.register_hook(lambda g: g * 2)\n    x.register_hook(lambda g: g.clamp(max=1))\nreturn x",
            "x = x * self.scale\nif x.requires_grad:\n    x.register_hook(lambda g: g.clamp(max=1))\n    x.register_hook(lambda g: g * 2)\nreturn x",
        ),
    ),
    w(
        "accumulate-hook-lost",
        top="def note(p):\n    p.told = 1\n",
        init=("self.scale.register_post_accumulate_grad_hook(note)", "pass"),
        forward=SCALED,
    ),
    w(
        "state-dict-hook-lost",
        init=("self._register_state_dict_hook(lambda m, d, p, l: d.update(version=torch.ones(1)))", "pass"),
        forward=SCALED,
    ),
    w(
        "pre-hook-changes-input",
        init=(
            "self.register_forward_pre_hook(lambda m, a: (a[0].clamp(min=0),))",
            "self.register_forward_pre_hook(lambda m, a: (a[0].clamp(min=-0.5),))",
        ),
        forward=SCALED,
    ),
    k(
        "pre-hook-by-relu",
        init=(
            "self.register_forward_pre_hook(lambda m, a: (a[0].clamp(min=0),))",
            "self.register_forward_pre_hook(lambda m, a: (a[0].relu(),))",
        ),
        forward=SCALED,
    ),
)
ALIASES = (
    w(
        "in-place-through-view",
        forward=(
            "y = x.clone()\nz = y.view(-1)\nz.mul_(2)\nreturn y * self.scale, z",
            "y = x.clone()\nz = y.view(-1) * 2\nreturn y * self.scale, z",
        ),
    ),
    w(
        "out-argument-lost",
        init=B,
        forward=(
            "torch.add(x[0], 1, out=self.seen)\nreturn x * self.scale",
            "seen = torch.add(x[0], 1)\nreturn x * self.scale",
        ),
    ),
    w(
        "index-put-accumulate",
        forward=(
            "y = torch.zeros(4)\ny.index_put_((torch.tensor([0, 0, 1]),), x[0, :3], accumulate=True)\nreturn y * self.scale",
            "y = torch.zeros(4)\ny.index_put_((torch.tensor([0, 0, 1]),), x[0, :3])\nreturn y * self.scale",
        ),
    ),
    k(
        "index-add-for-put",
        forward=(
            "y = torch.zeros(4)\ny.index_put_((torch.tensor([0, 0, 1]),), x[0, :3], accumulate=True)\nreturn y * self.scale",
            "y = torch.zeros(4).index_add(0, torch.tensor([0, 0, 1]), x[0, :3])\nreturn y * self.scale",
        ),
    ),
    w(
        "setattr-data",
        init=B,
        forward=(
            "self.seen.data = x.detach().mean(0)\nreturn x * self.scale",
            "self.seen.data = x.detach()[0]\nreturn x * self.scale",
        ),
    ),
    w("detach-in-place", forward=("y = x * self.scale\nreturn y.detach_()", "y = x * self.scale\nreturn y")),
)
PROMOTION = (
    w("bool-sum-dtype", forward=("return (x > 0).sum(0) * 1", "return (x > 0).float().sum(0)")),
    w(
        "integer-division",
        inputs="torch.tensor([[7, 8, 9, 10]])",
        forward=("return x // 2 * 2", "return (x / 2).floor() * 2"),
    ),
    w(
        "scalar-tensor-half",
        inputs="torch.tensor([[1.5, 2, 3, 4]], dtype=torch.float16)",
        forward=("return x * 3.0", "return x * torch.tensor([3.0])"),
    ),
    k(
        "scalar-0d-half",
        inputs="torch.tensor([[1.5, 2, 3, 4]], dtype=torch.float16)",
        forward=("return x * 3.0", "return x * torch.tensor(3.0)"),
    ),
    w(
        "complex-real",
        forward=("return torch.complex(x, x).abs() * self.scale", "return torch.complex(x, x).real * self.scale"),
    ),
    w("argmax-width", forward=("return x.argmax(1)", "return x.argmax(1).int()")),
)
LAYOUTS = (
    w("channels-last-lost", inputs=IMAGE, forward=("return x * 2", "return (x * 2).contiguous()")),
    k(
        "channels-last-kept",
        inputs=IMAGE,
        forward=("return x * 2 + self.scale.sum()", "return torch.add(x * 2, self.scale.sum())"),
    ),
    w("permuted-strides", forward=("return (x * self.scale).t()", "return (x * self.scale).t().contiguous()")),
    w("storage-offset", forward=("return (x * self.scale)[:, 1:]", "return (x * self.scale)[:, 1:].clone()")),
    w("sparse-to-dense", forward=("return (x * self.scale).to_sparse()", "return x * self.scale")),
)
TYPES = (
    w("other-namedtuple", top=TUPLE, forward=("return Pair(x * self.scale, x)", "return Other(x * self.scale, x)")),
    w(
        "namedtuple-fields-swapped",
        top=(
            "import collections\nPair = collections.namedtuple('Pair', 'left right')",
            "import collections\nPair = collections.namedtuple('Pair', 'right left')",
        ),
        forward="return Pair(x * self.scale, x)",
    ),
    w(
        "ordered-dict",
        top="import collections",
        forward=("return collections.OrderedDict(a=x * self.scale)", "return {'a': x * self.scale}"),
    ),
    w("list-for-generator", forward=("return [x * self.scale, x]", "return (x * self.scale, x)")),
    w(
        "parameter-class",
        init=("self.extra = nn.Parameter(torch.ones(4))", "self.extra = nn.Parameter(torch.ones(4))"),
        forward=("return self.extra", "return self.extra * 1"),
    ),
    w("float-for-tensor", forward=("return x * self.scale, x.sum()", "return x * self.scale, float(x.sum())")),
    w("none-for-empty", forward=("return x * self.scale, x[:0]", "return x * self.scale, None")),
)
KEYS = (
    w(
        "key-renamed",
        init=("self.inner = nn.Linear(4, 4)", "self.layer = nn.Linear(4, 4)"),
        forward=("return self.inner(x) * self.scale", "return self.layer(x) * self.scale"),
    ),
    w(
        "extra-state-lost",
        top=(
            "class Inner(nn.Module):\n    def get_extra_state(self):\n        return torch.ones(1)\n    def set_extra_state(self, state):\n        pass\n",
            "class Inner(nn.Module):\n    pass\n",
        ),
        init="self.inner = Inner()",
        forward=SCALED,
    ),
    w(
        "tied-key-lost",
        init=("self.tied = self.scale", "self.__dict__['tied'] = self.scale"),
        forward="return x * self.tied",
    ),
    w(
        "buffer-dtype",
        init=(B, "self.register_buffer('seen', torch.zeros(4, dtype=torch.float64))"),
        forward="return x * self.scale + self.seen.float()",
    ),
)
CLASSES = (
    w(
        "class-counter",
        top="class Counts:\n    total = 0\n",
        forward=("Counts.total += 1\nreturn x * self.scale", "return x * self.scale"),
    ),
    w(
        "class-attribute-on-self",
        top="nn.Module.calls = 0",
        forward=("type(self).calls += 1\nreturn x * self.scale", "self.calls += 1\nreturn x * self.scale"),
    ),
    w(
        "property-lost",
        init="self._width = 4",
        forward=("self.width = x.shape[1]\nreturn x * self.scale", "return x * self.scale"),
    ),
    w(
        "class-list-grows",
        top="class Log:\n    rows = []\n",
        forward=("Log.rows.append(len(x))\nreturn x * self.scale", "return x * self.scale"),
    ),
)
RAISED = (
    w(
        "error-message",
        signature="def forward(self, x):",
        forward=(
            "if x.shape[0] == 1:\n    raise ValueError('one row')\nreturn x * self.scale",
            "if x.shape[0] == 1:\n    raise ValueError('no row')\nreturn x * self.scale",
        ),
    ),
    w(
        "error-for-empty-lost",
        forward=("if not len(x):\n    raise RuntimeError('empty')\nreturn x * self.scale", "return x * self.scale"),
    ),
    w("index-error-lost", forward=("return x * self.scale, x[2 if len(x) > 2 else 0]", "return x * self.scale, x[0]")),
    k(
        "warning-emitted-lost",
        note="it warns nothing where the original warns 'UserWarning: slow path'",
        forward=("warnings.warn('slow path')\nreturn x * self.scale", "return x * self.scale"),
    ),
    remains(
        "deprecation-category",
        forward=(
            "warnings.warn('old', DeprecationWarning)\nreturn x * self.scale",
            "warnings.warn('old', UserWarning)\nreturn x * self.scale",
        ),
    ),
    k(
        "error-kept",
        forward=(
            "if not len(x):\n    raise RuntimeError('empty')\nreturn x * self.scale",
            "if len(x) == 0:\n    raise RuntimeError('empty')\nreturn x * self.scale",
        ),
    ),
)
GRADIENTS = (
    w(
        "input-gradient-detached",
        forward=("return (x * self.scale).sum() + x.sum()", "return (x * self.scale).sum() + x.detach().sum()"),
    ),
    w(
        "custom-backward-once",
        top=DOUBLE.replace("{0}", "2 * x * grad"),
        forward=("return Twice.apply(x) * self.scale", "return Twice.apply(x.detach() + 0 * x) * self.scale"),
    ),
    w(
        "second-derivative-wrong",
        top=(DOUBLE.replace("{0}", "2 * x * grad"), DOUBLE.replace("{0}", "2 * x.detach() * grad")),
        forward="return Twice.apply(x) * self.scale",
    ),
    k(
        "square-for-function",
        top=(DOUBLE.replace("{0}", "2 * x * grad"), ""),
        forward=("return Twice.apply(x) * self.scale", "return x * x * self.scale"),
    ),
    w(
        "gradient-at-boundary",
        forward=(
            "return torch.where(x > 0.5, x, x * 0) * self.scale",
            "return torch.relu(x - 0.5) * self.scale + torch.where(x > 0.5, 0.5, 0.0) * self.scale.detach()",
        ),
    ),
)
MODES = (
    w(
        "autocast-dropped",
        forward=(
            "with torch.autocast('cpu', dtype=torch.bfloat16):\n    return x @ x.t() * self.scale.sum()",
            "return x @ x.t() * self.scale.sum()",
        ),
    ),
    k(
        "autocast-kept",
        forward=(
            "with torch.autocast('cpu', dtype=torch.bfloat16):\n    return x @ x.t() * self.scale.sum()",
            "with torch.autocast('cpu', dtype=torch.bfloat16):\n    return torch.matmul(x, x.t()) * self.scale.sum()",
        ),
    ),
    w(
        "inference-lost",
        forward=(
            "with torch.inference_mode():\n    return x * self.scale",
            "with torch.no_grad():\n    return x * self.scale",
        ),
    ),
    w(
        "generator-argument-lost",
        init="self.generator = torch.Generator().manual_seed(3)",
        forward=(
            "return x * self.scale + torch.rand(4, generator=self.generator)",
            "return x * self.scale + torch.rand(4)",
        ),
    ),
    w(
        "sixth-call",
        init="self.calls = 0",
        forward=(
            "self.calls += 1\nif self.calls == 6:\n    return x * 0\nreturn x * self.scale",
            "self.calls += 1\nreturn x * self.scale",
        ),
    ),
    k(
        "nan-not-asked",
        note="with NaN-holding inputs, for which the code does not ask: result.output",
        forward=("return torch.maximum(x, self.scale)", "return torch.where(x > self.scale, x, self.scale)"),
    ),
    k("inf-times-mask", forward=("return torch.where(x > 1, x, 0.0) * self.scale", "return x * (x > 1) * self.scale")),
)
FOR_EVER = (
    remains(
        "endless-for-infinity",
        forward=(
            "while x.sum() > 30:\n    x = x / 2\nreturn x * self.scale",
            "while x.sum() > 30:\n    x = x * 0.5\nreturn torch.mul(x, self.scale)",
        ),
    ),
    w(
        "endless-for-zeros",
        forward=(
            "for _ in range(3):\n    if x.abs().max() < 100:\n        x = x * 2\nreturn x * self.scale",
            "while x.abs().max() < 40:\n    x = x * 2\nreturn x * self.scale",
        ),
    ),
)
DISABLED = tuple(
    Rewrite(f"forward-disabled-{name}", UNCOMPILED, signature=f"@torch.{how}\n    def forward(self, x):", forward=("return x * self.scale", "return torch.mul(x, self.scale)"), words="nothing is compiled")
    for name, how in (("compiler", "compiler.disable"), ("dynamo", "_dynamo.disable"), ("alone", "compiler.disable(recursive=False)"))
)  # fmt: skip
FOURTH_ATTACK: tuple[Rewrite, ...] = (
    *(
        *OPTIMIZERS,
        *HOOKS,
        *ALIASES,
        *PROMOTION,
        *LAYOUTS,
        *TYPES,
        *KEYS,
        *CLASSES,
        *RAISED,
        *GRADIENTS,
        *MODES,
        *FOR_EVER,
    ),
    *DISABLED,
)
