"""A fifth attack: calls one after the other, copies, settings, ties, ranks, dtypes, integers, arguments left out."""

# ruff: noqa: E501 - the long lines are programs

from __future__ import annotations

from hostile_rewrites import INPUTS, Rewrite
from hostile_rewrites_by_hand import k, remains, w

SCALED = "return x * self.scale"
HISTORY = "self.history.append(len(x))\nif len(self.history) > {0}:\n    self.history.pop(0)\nreturn x * self.scale * len(self.history)"
STEPS = "return x * self.scale + torch.arange(len(x), dtype=x.dtype)[:, None]"
KEPT = "key = {0}\nif key not in self.kept:\n    self.kept[key] = torch.arange(len(x), dtype=x.dtype)[:, None]\nreturn x * self.scale + self.kept[key]"
LONGEST = "if self.kept is None or len(self.kept) < len(x):\n    self.kept = torch.arange(len(x), dtype=x.dtype)[:, None]\nreturn x * self.scale + self.kept[-len(x):]"
EXP = "return x * self.scale * (self.scale * 0).exp()"
GRAPH = "key = torch.is_grad_enabled()\nif key not in self.kept:\n    self.kept[key] = (self.scale * 0).exp()\nreturn x * self.scale * self.kept[key]"
DICT = ("pass", "self.kept = {}")
IN_A_ROW = (
    w("history-longer", init="self.history = []", forward=(HISTORY.replace("{0}", "6"), HISTORY.replace("{0}", "5")), words="equal calls"),
    w("state-after-calls", init="self.steps = 0", forward=("self.steps = self.steps + 1\n" + SCALED, "self.steps = min(self.steps + 1, 2)\n" + SCALED), words="steps is 2"),
    w("global-after-calls", top="STEPS = [0]", forward=("STEPS[0] = STEPS[0] + 1\n" + SCALED, "STEPS[0] = min(STEPS[0] + 1, 2)\n" + SCALED), words="equal calls"),
    w("cache-of-first-shape", init=DICT, forward=(STEPS, KEPT.replace("{0}", "0")), words="3 rows"),
    w("cache-of-longest", init=("pass", "self.kept = None"), forward=(STEPS, LONGEST), words="equal calls"),
    w("cache-of-one-dtype", init=DICT, forward=(STEPS, KEPT.replace("{0}", "len(x)")), words="bfloat16"),
    w("cached-graph", init=DICT, forward=(EXP, GRAPH), words="another training step"),
    w("copy-fails", init="self.last = None", forward=("y = x * self.scale\nself.last = y.detach()\nreturn y", "y = x * self.scale\nself.last = y\nreturn y"), words="a copy"),
    k("cache-by-shape-and-dtype", init=DICT, forward=(STEPS, KEPT.replace("{0}", "len(x), x.dtype"))),
    k("last-kept-detached", init="self.last = None", forward=("y = x * self.scale\nself.last = y.detach()\nreturn y", "y = torch.mul(x, self.scale)\nself.last = y.detach()\nreturn y")),
    w("popped-key-kept", forward=("return batch.pop('x') * self.scale", "return batch['x'] * self.scale"), signature="def forward(self, batch):", inputs="{'x': " + INPUTS + "}", words="inputs"),
    k("popped-key", forward=("return batch.pop('x') * self.scale", "x = batch.pop('x')\n" + SCALED), signature="def forward(self, batch):", inputs="{'x': " + INPUTS + "}"),
)  # fmt: skip
PROCESS = (
    w("compiler-config", top=("", "import torch._dynamo\ntorch._dynamo.config.suppress_errors = True"), forward=SCALED, words="suppress_errors"),
    w("hook-of-all-modules", top=("", "nn.modules.module.register_module_forward_pre_hook(lambda module, args: None)"), forward=SCALED, words="module_hooks"),
    w("layer-replaced", top=("", "nn.Linear.extra_repr = lambda self: ''"), forward=SCALED, words="Linear.extra_repr"),
    w("inherited-replaced", top=("", "torch.Tensor.cosh = lambda self: self"), forward=SCALED, words="Tensor.cosh"),
    w("level-of-torchs-logger", top=("", "import logging\nlogging.getLogger('torch').setLevel(logging.CRITICAL)"), forward=SCALED, words="logging.torch"),
    w("sparse-invariants", top=("", "torch.sparse.check_sparse_tensor_invariants.enable()"), forward=SCALED, words="sparse_invariants"),
    k("own-logger", top=("", "import logging\nlogging.getLogger(__name__).setLevel(logging.ERROR)"), forward=SCALED),
)  # fmt: skip
PIXELS = INPUTS + ", torch.tensor([1, 2, 3], dtype=torch.{0})"
VALUES = (
    w("method-boundary", forward=("return torch.where(x.gt(0.3), x, -x) * self.scale", "return torch.where(x.ge(0.3), x, -x) * self.scale"), words="boundary"),
    w("function-boundary", forward=("return torch.where(torch.gt(x, 0.3), x, -x) * self.scale", "return torch.where(torch.ge(x, 0.3), x, -x) * self.scale"), words="boundary"),
    w("last-of-ties", forward=("return x.argmax(-1) * self.scale.sum()", "return (3 - x.flip(-1).argmax(-1)) * self.scale.sum()"), words="inputs"),
    w("half-rounded-up", forward=("return x.round() * self.scale", "return (x + 0.5).floor() * self.scale")),
    w("norm-of-zero", forward=("return x / x.norm(dim=-1, keepdim=True).clamp(min=1e-6) * self.scale", "return x / x.norm(dim=-1, keepdim=True) * self.scale"), words="all-zero"),
    w("clamp-of-huge", forward=("return x.clamp(-5000, 5000) * self.scale", SCALED), words="huge"),
    w("int-overflow", forward=("return x * self.scale, ids * 1000", "return x * self.scale, (ids.int() * 1000).long()"), signature="def forward(self, x, ids):", inputs=PIXELS.replace("{0}", "int64"), words="large integers"),
    w("count-through-float", forward=("return x * self.scale, ids + ids.sum()", "return x * self.scale, ids + ids.float().sum().long()"), signature="def forward(self, x, ids):", inputs=PIXELS.replace("{0}", "int64"), words="large integers"),
    w("uint8-overflow", forward=("return x * self.scale, ids.long() * 2", "return x * self.scale, (ids * 2).long()"), signature="def forward(self, x, ids):", inputs=PIXELS.replace("{0}", "uint8"), words="large integers"),
    remains("rows-made-by-counts", forward=("return x * self.scale, torch.repeat_interleave(ids, ids)", "return torch.mul(x, self.scale), ids.repeat_interleave(ids)"), signature="def forward(self, x, ids):", inputs=PIXELS.replace("{0}", "int64")),
    w("half-overflow", forward=("return (x * self.scale).masked_fill(x > 0, torch.finfo(x.dtype).min).softmax(-1)", "return (x * self.scale).masked_fill(x > 0, -1e9).softmax(-1)"), words="float16"),
    k("autocast-dtype", forward=("return x @ torch.ones(4, 4).mul(self.scale)", "return (x @ torch.ones(4, 4).mul(self.scale)).float() if x.dtype is torch.float32 else x @ torch.ones(4, 4, dtype=x.dtype).mul(self.scale)"), note="under autocast"),
)  # fmt: skip
IMAGE, ROWS = "torch.randn(2, 3, 4, 4)", "torch.randn(2, 5, 4)"
SIZES = (
    w("rank-not-checked", forward=("if x.dim() != 2:\n    raise ValueError('rank')\n" + SCALED, SCALED), words="raises nothing where the original raises ValueError"),
    w("odd-height", forward=("return F.avg_pool2d(x, 2) * self.scale[:2]", "return x.unflatten(2, (-1, 2)).mean(3).unflatten(3, (-1, 2)).mean(4) * self.scale[:2]"), inputs=IMAGE, words="dimension 2"),
    w("one-step", forward=("rows = [x[:, t] - x[:, t - 1] for t in range(1, x.shape[1])]\nreturn torch.stack(rows, 1) * self.scale if rows else x * 0", "return (x[:, 1:] - x[:, :-1]) * self.scale"), inputs=ROWS, words="one element in dimension 1"),
    k("last-dimension-by-number", forward=("return (x * self.scale).softmax(-1)", "return (x * self.scale).softmax(1)"), note="one more dimension"),
)  # fmt: skip
MASKED = "y = x * self.scale\nif mask is not None:\n    y = y.masked_fill({0}mask, 0.0)\nreturn y"
ENUM = "import enum\nclass Kind(enum.Enum):\n    SUM = 'sum'\n    MEAN = 'mean'"
OWN = (
    "y = x * self.scale\nif {0} is Kind.SUM:\n    return y.sum(-1)\nreturn y.mean(-1)",
    "y = x * self.scale\nreturn y.sum(-1)",
)
ARGUMENTS = (
    w("mask-left-out", forward=(MASKED.replace("{0}", ""), MASKED.replace("{0}", "~")), signature="def forward(self, x, mask=None):", words="for mask"),
    w("mask-not-none", forward=(MASKED.replace("{0}", ""), "return (x * self.scale).masked_fill(mask, 0.0)"), signature="def forward(self, x, mask=None):", inputs=INPUTS + ", torch.tensor([[True], [False]])", words="default None for mask"),
    w("enum-attribute", top=ENUM, init="self.kind = Kind.SUM", forward=(OWN[0].replace("{0}", "self.kind"), OWN[1]), words="Kind.MEAN"),
    w("enum-argument", top=ENUM, forward=(OWN[0].replace("{0}", "kind"), OWN[1]), signature="def forward(self, x, kind):", inputs=INPUTS + ", Kind.SUM", words="Kind.MEAN"),
    k("enum-kept", top=ENUM, forward=(OWN[0].replace("{0}", "kind"), OWN[0].replace("{0}", "kind").replace("x * self.scale", "torch.mul(x, self.scale)")), signature="def forward(self, x, kind):", inputs=INPUTS + ", Kind.SUM"),
)  # fmt: skip
LOADS = "def _load_from_state_dict(self, state, *rest):\n        super()._load_from_state_dict(state, *rest)\n\n    "
INTERFACE = (
    k("old-checkpoints", signature=(LOADS + "def forward(self, x):", "def forward(self, x):"), forward=SCALED, note="_load_from_state_dict"),
    k("state-dict-order", init=("self.register_buffer('a', torch.ones(4))\nself.register_buffer('b', torch.ones(4))", "self.register_buffer('b', torch.ones(4))\nself.register_buffer('a', torch.ones(4))"), forward="return x * self.scale * self.a * self.b", note="another order"),
)  # fmt: skip
FIFTH_ATTACK: tuple[Rewrite, ...] = (*IN_A_ROW, *PROCESS, *VALUES, *SIZES, *ARGUMENTS, *INTERFACE)
