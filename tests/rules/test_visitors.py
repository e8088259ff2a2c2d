"""Every check class by itself: what its visitors report of small models, and how classes are registered and named."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar, get_type_hints

import pytest
from harness import model
from visiting import visited_rows

from breaklint.errors import CardError
from breaklint.interp import events
from breaklint.interp.events import BreakingCall, Call, Event, LibraryBreak
from breaklint.interp.frame import Frame
from breaklint.model import Effect, Rule, Severity
from breaklint.rules.base import CHECKS, VISITORS, Check, Hit
from breaklint.rules.card_parsing import read_card
from breaklint.rules.cards import load_rules
from breaklint.rules.registry import all_checks, check_class
from breaklint.rules.rule_set import RuleSet

MARK = "  # hit"
HEAD = "import torch\n\n\n"
FUNCTION = """\
class Double(torch.autograd.Function):
    @{0}
    def forward(ctx, x):
        return x * 2

    @{0}
    def backward(ctx, grad):
        return grad * 2


class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        return Double.apply(x * 2)"""


def net(init: str, forward: str, more: str = "") -> str:
    """A model that its constructor gives an attribute."""
    return (
        f"{HEAD}class Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        {init}\n\n"
        f"    def forward(self, x: torch.Tensor):\n        {forward}\n        return x * 2\n{more}"
    )


def configured(body: str, read: str) -> str:
    """A model with an object of a subclass of dict, and what its forward reads of it."""
    return (
        f"{HEAD}class Config(dict):\n    {body}\n\n\nclass Net(torch.nn.Module):\n    def __init__(self):\n"
        "        super().__init__()\n        self.config = Config(width=8)\n\n    def forward(self, x):\n"
        f"        return {read}\n"
    )


TAKING = """
import functools


def scale(x, factor):
    return x * factor


def wide(x, *rest, **others):
    return x


@functools.lru_cache
def cached(x):
    return x


class Plain:
    def __init__(self, by):
        self.by = by


class Factor(torch.nn.Module):
    def __init__(self, by=1):
        super().__init__()
        self.by = by

    def forward(self, x):
        return x * self.by

    def times(self, x, *, of):
        return x * of
"""


def caught(call: str, leave: str = "except TypeError:", hit: bool = True) -> str:
    """A call in a `try` of a model, and how the `try` goes on."""
    return (
        f"{HEAD}{TAKING}\n\nclass Net(torch.nn.Module):\n    def forward(self, x: torch.Tensor):\n        try:\n"
        f"            x = {call}{'  # hit' if hit else ''}\n        {leave}\n            x = x * 2\n        return x\n"
    )


DOUBLE = "\n\n" + FUNCTION.partition("\n\n\nclass Net")[0].format("staticmethod") + "\n"

ENCODER = "self.encoder = torch.nn.TransformerEncoder(torch.nn.TransformerEncoderLayer(8, 2), 1)"
ATTENTION = "self.attention = torch.nn.MultiheadAttention(8, 2)"

CASES: dict[str, tuple[str, ...]] = {
    "TransformerMask": (
        net(ENCODER, "x = self.encoder(x, torch.ones(4, 4))  # hit"),
        net(ENCODER, "x = self.encoder(x, torch.ones(4, 4), is_causal=True)"),
        net(ENCODER, "x = self.encoder(x)"),
        net("self.layer = torch.nn.TransformerEncoderLayer(8, 2)", "x = self.layer(x, torch.ones(4, 4))"),
    ),
    "MixedMasks": (
        net(ATTENTION, "x = self.attention(x, x, x, x[0] > 0, attn_mask=torch.ones(4, 4))[0]  # hit"),
        net(ATTENTION, "x = self.attention(x, x, x, torch.ones(4, 4), attn_mask=x[0] > 0)[0]  # hit"),
        net(ATTENTION, "x = self.attention(x, x, x, x[0] > 0, attn_mask=torch.ones(4, 4) > 0)[0]"),
        net(ATTENTION, "x = self.attention(x, x, x, attn_mask=torch.ones(4, 4))[0]"),
    ),
    "LossOfDynamicShape": (
        net("self.loss = torch.nn.CTCLoss()", "x = self.loss(x, x.long(), x[0].long(), x[0].long())  # hit"),
        net("self.loss = torch.nn.AdaptiveLogSoftmaxWithLoss(8, 10, [4])", "x = self.loss(x, x.long()).loss  # hit"),
        net("self.loss = torch.nn.AdaptiveLogSoftmaxWithLoss(8, 10, [4])", "x = self.loss.log_prob(x)"),
        net("self.loss = torch.nn.MSELoss()", "x = self.loss(x, x)"),
    ),
    "ArrayOfLists": (
        "a = x.numpy()\nreturn torch.from_numpy(np.array([[a[0], 1], [0, a[1]]]))  # hit",
        "a = x.numpy()\nreturn torch.from_numpy(np.asarray([a.sum(), 1.0]))  # hit",
        "return torch.from_numpy(np.array([x.sum(), 1]))  # hit",
        "a = x.numpy()\nreturn torch.from_numpy(np.array([a[0], a[1]]))",
        "return x + torch.from_numpy(np.array([[x.shape[0], 1], [0, 1]]))",
        "a = x.numpy()\nreturn torch.from_numpy(np.array([a.sum(), self.unknown]))",
    ),
    "AssertOnTensor": (
        "assert x.sum() > 0, f'{x}'  # hit\nreturn x",
        "assert x.sum() > 0, 'positive'\nreturn x",
        "assert not (x.sum() > 0)  # hit\nreturn x",
        "assert [x]  # hit\nreturn x",
        "assert x.shape[0] > 2\nreturn x",
    ),
    "AutogradApplyAttribute": (
        net("self.double = Double.apply", "x = self.double(x)  # hit", DOUBLE),
        net("self.double = Double", "x = self.double.apply(x)", DOUBLE),
        net("self.double = torch.nn.Identity()", "x = self.double(x)", DOUBLE),
    ),
    "AutogradClassmethod": (
        HEAD + FUNCTION.format("classmethod") + MARK + "\n",
        HEAD + FUNCTION.format("staticmethod") + "\n",
    ),
    "BoolOpOnTensor": (
        "y = x if not (x.sum() > 0) else -x  # hit\nreturn y",
        "if x.shape[0] > 2 and x.sum():\n    return x\nreturn -x",
        "if x.sum() and x.shape[0] > 2:  # hit\n    return x\nreturn -x",
    ),
    "BooleanMask": (
        "return x[x > 0]  # hit",
        "x = x * 2\nx[x > 0] = 0\nreturn x",
        "return x[0]",
        "x = x * 2\nreturn x[self.unknown == 1]  # hit",
        "x = x * 2\nx[self.unknown == 1] = 0\nreturn x",
        "x = x * 2\nreturn x[self.unknown == 'last']",
        "return self.unknown[torch.logical_or(torch.tensor(False), self.mask)]  # hit",
        "return self.unknown[torch.tensor(False)]",
        "return self.unknown[self.unknown != 0]  # hit",
        "return self.unknown[self.other != 0]",
    ),
    "BranchOnTensor": (
        "if x.sum() > 0:  # hit\n    return x\nreturn -x",
        "if x.shape[0] > 0:\n    return x\nreturn -x",
        "while (x > 1).any():  # hit\n    x = x / 2\nreturn x",
    ),
    "BufferStore": (
        net("self.b = torch.nn.Buffer(torch.ones(8))", "self.b = self.b.to(x.dtype)  # hit"),
        net("self.b = torch.nn.Buffer(torch.ones(8))", "self.b += 1  # hit"),
        net("self.b = torch.nn.Buffer(torch.ones(8))", "self.b.add_(1)"),
        net("self.register_buffer('b', torch.ones(8))", "self.b = self.b.to(x.dtype)"),
    ),
    "BuiltinOverTensors": (
        "return x * any(row for row in x)  # hit",
        "return x * sorted([x.sum(), x.mean()])[0]  # hit",
        "return x * max([x.sum(), x.mean()])",
    ),
    "CacheBySize": (
        net("self.seen = {}", "self.seen[x.shape[0]] = x  # hit"),
        net("self.seen = {}", "self.seen['x'] = x"),
        net("self.seen = {}", "self.seen[x.shape[0]] = x", "\n    def reset(self):\n        self.seen.clear()\n"),
    ),
    "CheckMessage": (
        "torch._check(x.shape[0] > 2, 'too small')  # hit\nreturn x",
        "torch._check(x.shape[0] > 2, lambda: 'too small')\nreturn x",
        "torch._check(x.shape[0] > 2, lambda: f'{x}')  # hit\nreturn x",
    ),
    "ClassStatement": (
        "class Scale:  # hit\n    by = 2\nreturn x * Scale.by",
        "Scale = type('Scale', (), {'by': 2})\nreturn x * Scale.by",
    ),
    "ContainsTensor": (
        "return x if x.sum() in [x.mean(), x.max()] else -x  # hit",
        "return x if 1.0 in x else -x  # hit",
        "return x if 2 in x.shape else -x",
    ),
    "CounterAttribute": (
        net("self.steps = 0", "self.steps += 1  # hit"),
        net("self.seen = {'calls': 0}", "self.seen['calls'] += 1  # hit"),
        net("self.steps = 0", "self.steps = 1"),
    ),
    "GeneratorUse": (
        net("self.generator = torch.Generator()", "x = x + torch.randn(8, generator=self.generator)  # hit"),
        "g = None\nif self.seed:\n    g = torch.Generator()\nreturn x + torch.randn(8, generator=g)  # hit",
        "g = torch.Generator() if self.seed else None\nreturn x + torch.randn(8, generator=g)  # hit",
        "g = None\nif self.seed:\n    g = torch.Generator()\n    g = None\nreturn x + torch.randn(8, generator=g)",
        "return x + torch.randn(8)",
    ),
    "SpecializedSize": (
        "return torch.stack([x.sum(0)] * x.shape[0])  # hit",
        "return torch.stack([x.sum(0)] * 3)",
    ),
    "GrowingList": (
        net("self.seen = []", "self.seen.append(x)  # hit"),
        net("self.seen = []", "self.seen.append(x)", "\n    def reset(self):\n        self.seen.clear()\n"),
        "seen = []\nseen.append(x)\nreturn seen[0]",
    ),
    "ExternalContext": (
        net("self.context = torch.no_grad()", "with self.context:  # hit\n            x = x * 2"),
        net("self.context = torch.no_grad", "with self.context():\n            x = x * 2"),
    ),
    "LoopOverDimension": (
        "for row in x:  # hit\n    x = x + row\nreturn x",
        "for row in range(x.shape[0]):  # hit\n    x = x + row\nreturn x",
        "for step in range(3):\n    x = x + step\nreturn x",
    ),
    "NumberOfArray": (
        "return x * float(np.mean(x.detach().numpy()))  # hit",
        "return x * float(self.threshold)",
        "return x * np.mean(x.detach().numpy()).item()  # hit",
    ),
    "NumberOfTensor": (
        "return x * float(x.sum())  # hit",
        "import math\nreturn x * math.exp(x.sum())  # hit",
        "return x * float(x.shape[0])",
    ),
    "RandomArithmetic": (
        "import random\na = random.uniform(0, 1)\na = a * 2  # hit\nreturn x * (a + 1)",
        "import random\na = random.uniform(0, 1)\nreturn x * int(a)  # hit",
        "import random\na = random.uniform(0, 1)\nif x.shape[0] > 2:\n    a = -a  # hit\nelse:\n    a = a * 2  # hit\n"
        "return x * (a + 1)",
        "import random\na = random.uniform(0, 1)\nif self.training:\n    a = -a  # hit\nreturn x * (a + 1)  # hit",
    ),
    "UntracedCall": (
        "import scipy.special\nreturn x * scipy.special.gamma(3)  # hit",
        "import scipy.special\nreturn torch.as_tensor(scipy.special.softmax(x.numpy()))",
        "return torch.special.gammaln(x)",
        "import pandas\nreturn x * pandas.to_numeric(3)  # hit",
        "import sklearn.metrics\nreturn x * sklearn.metrics.auc([0, 1], [1, 2])  # hit",
        "return torch.pandas(x)",
        "import numba\n@numba.njit\ndef total(n):\n    return n + 1\nreturn x * total(3)  # hit",
        "def total(n):\n    return n + 1\nreturn x * total(3)",
        net("self.seen = torch.ao.quantization.HistogramObserver()", "self.seen(x)  # hit"),
        net("self.seen = torch.ao.quantization.FakeQuantize()", "x = self.seen.calculate_qparams()  # hit"),
        net("self.enter = torch.ao.quantization.QuantStub()", "x = self.enter(x)"),
    ),
    "ImageTransform": (
        "import torchvision.transforms as T\nreturn T.RandomCrop(4)(x)  # hit",
        "import torchvision.transforms as T\nreturn T.Resize(4)(x)",
    ),
    "SkippedCall": (
        "import gc\ngc.collect()  # hit\nreturn x",
        "return x + np.mgrid[0:8]  # hit",
        "return torch.relu(x)",
    ),
    "SparseUse": (
        "y = x.to_sparse()\nz = y * 2  # hit\nreturn y * z",
        "y = x.to_sparse()\nif self.training:\n    z = y * 2  # hit\nreturn y * 3  # hit",
        "sparse = x.to_sparse()\nsparse = sparse * 2  # hit\nreturn sparse * 3",
        "y = x.to_sparse()\nz = [y * step for step in range(3)]  # hit\nreturn y * 3",
        "return x * 2",
    ),
    "SubscriptedClass": (
        "sizes = list[int]()  # hit\nreturn x",
        "sizes: list[int] = list()\nreturn x",
        f"{HEAD}Row = tuple[float, float]\nPair = dict\n\n\nclass Net(torch.nn.Module):\n"
        "    def forward(self, x):\n        return x * Row[int]  # hit\n",
    ),
    "TensorAsIndex": (
        "parts = [x, -x]\nreturn parts[x.argmax()]  # hit",
        "return x[x.argmax()]  # hit",
        "return x[x.shape[0] - 1]",
        net("self.register_buffer('place', torch.tensor(1))", "x = x[self.place]"),
        net("self.register_buffer('place', torch.tensor(1))", "x = x[self.place + 1]  # hit"),
    ),
    "FunctionAttribute": (
        HEAD + "def helper(x):\n    return x\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n"
        "        helper.calls = 1  # hit\n        setattr(helper, 'calls', 2)  # hit\n        self.calls = 3\n"
        "        return helper(x)\n",
    ),
    "BuiltinGetattr": (
        configured("__getattr__ = dict.get", "x * self.config.width  # hit"),
        configured("__getattr__ = dict.__getitem__", "x * self.config.width  # hit"),
        configured("__getattr__ = dict.get", "x * getattr(self.config, 'width')  # hit"),
        configured("__getattr__ = dict.get", "x * hasattr(self.config, 'width')  # hit"),
        configured("__getattr__ = dict.get\n    depth = 2", "x * self.config.depth"),
        configured("__getattr__ = dict.get", "x * self.config['width'] * self.config.get('width')"),
        configured("def __getattr__(self, name):\n        return self[name]", "x * self.config.width"),
        configured("__setattr__ = dict.__setitem__", "x * self.config.width"),
        configured(
            "__getattr__ = dict.get\n\n    def __init__(self, width):\n        self.width = width",
            "x * self.config.width * self.config.height  # hit",
        ),
        configured(
            "__getattr__ = dict.get\n\n    def __init__(self, width):\n        self.width = width",
            "x * self.config.width",
        ),
        configured(
            "__getattr__ = dict.get\n    __setattr__ = dict.__setitem__\n\n    def __init__(self, width):\n"
            "        self.width = width",
            "x * self.config.width  # hit",
        ),
    ),
    "ExtremeByKey": (
        "return max([x, x + 1], key=lambda row: row.ndim)  # hit",
        "return min(x, x + 1, key=len)  # hit",
        "return max({'a': x}.values(), key=len)  # hit",
        "return max([(1, x), (2, x)], key=lambda pair: pair[0])[1]  # hit",
        "return x * max([1, 2], key=lambda number: -number)",
        "return x * max({'a': 1}.items(), key=lambda pair: pair[1])[1]  # hit",
        "return x * min((n for n in [1, 2]), key=lambda number: -number)  # hit",
        "return x * min(zip([1, 2], [3, 4]), key=None)[0]",
        "return x * max(reversed([1, 2]), key=lambda number: -number)",
        "return x * max({'a': x.sum()}, key={'a': x.sum()}.get)  # hit",
        "return x * sorted(range(4), key=lambda row: x[row])[0]  # hit",
        "return [0, 1].sort(key=lambda row: x[row].sum())  # hit",
        "return x * sorted(['a', 'bb'], key=len).index('a')",
        "return max([x, x + 1])  # without a key it is another matter",
        "return sorted([x, x + 1], key=len)[0]",
    ),
    "OutOfAnotherShape": (
        "return x + torch.arange(8, out=torch.LongTensor())  # hit",
        "return torch.add(x, 1, out=x.new())  # hit",
        "return torch.cat([x, x], out=x.new_empty(0))  # hit",
        "return torch.sum(x, 0, out=torch.tensor([]))  # hit",
        "return torch.add(x, 1, out=torch.empty(4, 8))",
        "return torch.add(x, 1, out=x)",
    ),
    "ObjectArray": (
        "return x * len(np.empty(3, dtype=object))  # hit",
        "return x * len(np.zeros(3, object))  # hit",
        "return x * len(np.array([1, None], dtype='O'))  # hit",
        "return x * len(np.array(['a', 'b']))  # hit",
        "return x * len(np.full(3, None, object))  # hit",
        "return x * len(x.numpy().astype(object))  # hit",
        "return x * len(x.numpy().astype(np.float32)) + len(np.zeros(3, dtype=float)) + np.array([1, 2])",
    ),
    "OperatorEffect": (
        f"""{HEAD}from torch.utils.checkpoint import checkpoint


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.sizes, self.last = [], None

    def block(self, x):
        inner = []
        inner.append(x)
        self.sizes.append(x.shape[0]){MARK}
        self.last = x{MARK}
        return x * 2

    def forward(self, x: torch.Tensor):
        self.sizes.append(x.shape[0])
        return checkpoint(self.block, x, use_reentrant=False)
""",
    ),
    "OperatorObject": (
        net("self.first = operator.itemgetter(0)", "x = self.first((x, 1))  # hit").replace(
            "import torch\n", "import operator\n\nimport torch\n", 1
        ),
        net("self.first = operator.attrgetter('T')", "x = sorted([x], key=self.first)[0]  # hit").replace(
            "import torch\n", "import operator\n\nimport torch\n", 1
        ),
        net("self.first = 0", "x = operator.itemgetter(self.first)((x, 1))").replace(
            "import torch\n", "import operator\n\nimport torch\n", 1
        ),
    ),
    "CaughtTypeError": (
        caught("scale(x)"),
        caught("scale(x, 2, 3)"),
        caught("scale(x, 2, mask=None)"),
        caught("scale(x, 2, x=x)"),
        caught("scale(x, 2, 3)", "except Exception:"),
        caught("scale(x, 2, 3)", "except (KeyError, TypeError) as error:"),
        caught("scale(x, 2, 3)", "except:"),
        caught("Factor()(x)", hit=False),
        caught("x * Plain().by"),
        caught("Factor()(x, 2)"),
        caught("Factor().times(x, by=3)"),
        caught("(Factor() if self.training else torch.nn.ReLU())(x, mask=None)"),
        caught("scale(x, 2)", hit=False),
        caught("scale(x, factor=2)", hit=False),
        caught("scale(*self.rest)", hit=False),
        caught("wide(x, 2, 3, mask=None)", hit=False),
        caught("cached(x, 2, 3)", hit=False),  # what a decorator's function takes is not known
        caught("scale(x, 2, 3)", "except ValueError:", hit=False),
        caught("scale(x, 2, 3)", "finally:", hit=False),
    ),
    "InplaceView": (
        net("self.register_buffer('b', torch.ones(8, 4))", "self.b.t_()  # hit"),
        "x.unsqueeze_(0)  # hit\nreturn x",
        "y = x * 2\ny.unsqueeze_(0)\nreturn y",
        "x.add_(1)\nreturn x",
    ),
    "RequiresGrad": (
        "x.requires_grad_()  # hit\nreturn x",
        "y = x.detach().requires_grad_(True)  # hit\nreturn y",
        "y = x.detach().requires_grad_(False)\nreturn y",
    ),
    "DataLoaderUse": (
        net(
            "self.rows = torch.utils.data.DataLoader([1.0])",
            "rows = iter(self.rows)  # hit\n        x = x + next(rows)  # hit",
        ),
        net("self.rows = torch.utils.data.DataLoader([1.0])", "for row in self.rows:  # hit\n            x = x + row"),
        net("self.rows = torch.utils.data.DataLoader([1.0])", "x = x + len(self.rows)  # hit"),
        net("self.rows = [1.0]", "rows = torch.utils.data.Subset(self.rows, [0])  # hit"),
        net("self.rows = torch.utils.data.DataLoader([1.0])", "x = x + len(self.rows.dataset)"),
        net("self.rows = [1.0]", "for row in self.rows:\n            x = x + row"),
    ),
    "OptimizerCall": (
        net("self.optimizer = torch.optim.SGD(self.parameters(), lr=0.1)", "self.optimizer.step()  # hit"),
        net("self.optimizer = torch.optim.Adam(self.parameters())", "self.optimizer.zero_grad()  # hit"),
        net("self.scaler = torch.amp.GradScaler('cuda')", "x = self.scaler.scale(x)  # hit"),
        net("self.optimizer = torch.optim.Adam(self.parameters())", "self.optimizer.state_dict()  # hit"),
    ),
    "PartialTypedDict": (
        HEAD + "import typing\n\n\nclass Out(typing.TypedDict, total=False):\n    y: torch.Tensor\n\n\n"
        "class Whole(typing.TypedDict):\n    y: torch.Tensor\n\n\nclass Net(torch.nn.Module):\n"
        "    def forward(self, x):\n        out = Out(y=x)  # hit\n        return Whole(y=out['y'])\n",
    ),
    "TensorAsNumber": (
        "return F.leaky_relu(x, x.mean())  # hit",
        "return x.add(x, alpha=x.mean())  # hit",
        "return x.new_full((2,), x.mean())  # hit",
        "return torch.clamp(x, max=x.mean()) + torch.full((8,), x.mean())",
        "return F.leaky_relu(x, x.shape[0] * 0.1)",
        "return F.gumbel_softmax(x, tau=x.mean())",
        "return (x * 2).add_(x, alpha=x.mean())",
        "return (x * 2).addcmul_(x, x, value=x.mean()).addcdiv_(x, x, value=x.mean())",
        "return torch.Tensor.add_(x * 2, x, alpha=x.mean())",
        "return (x * 2).sub_(x, alpha=x.mean())  # hit",
        HEAD + "import random\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n"
        "        return (x * 2).add_(x, alpha=random.uniform(0.1, 0.3))\n",
    ),
    "TensorAsSize": (
        "return torch.roll(x, shifts=x.argmax(), dims=1)  # hit",
        "return x.sum(dim=x.argmax())  # hit",
        "return F.interpolate(x, size=(x.argmax(), 8))  # hit",
        "return torch.narrow(x, 1, x.argmax(), 1)  # hit",
        "return x.split([x.argmax(), 2], 1)[0]  # hit",
        "return torch.max(x, x.mean()) + torch.linspace(0, x.mean(), 8)",
        net("self.register_buffer('n', torch.tensor(2))", "x = torch.nn.functional.pad(x, (0, self.n))"),
        net("self.register_buffer('n', torch.tensor(2))", "x = x[:, :self.n]  # hit"),
        "return x + torch.arange(x.sum())  # hit",
        "return x[: x.sum()]  # hit",
        "return [0] * x.sum()  # hit",
        "return F.one_hot(x.long(), num_classes=x.max())  # hit",
        "return x.view(x.shape[1], -1)",
    ),
}
TABLE = [
    pytest.param(name, source, id=f"{name}-{number}")
    for name, sources in CASES.items()
    for number, source in enumerate(sources)
]


@pytest.mark.parametrize(("name", "source"), TABLE)
def test_a_check_reports_exactly_the_marked_rows(name: str, source: str) -> None:
    text = source if source.startswith(HEAD) else model(source)
    marked = [row for row, line in enumerate(text.splitlines(), 1) if line.endswith(MARK)]
    assert visited_rows(all_checks()[name](), text) == marked


def test_a_call_that_breaks_is_reported_with_the_name_of_what_is_called() -> None:
    node = ast.parse("helper(x)", mode="eval").body
    call = BreakingCall(node, Frame.__new__(Frame), "helper")
    (hit,) = all_checks()["CallThatBreaks"]().visit_breaking_call(call)
    assert hit.node is node
    assert "`helper` breaks the graph" in hit.message


def test_a_call_into_a_package_is_reported_with_the_place_that_breaks() -> None:
    node = ast.parse("helper(x)", mode="eval").body
    call = LibraryBreak(node, Frame.__new__(Frame), "shapes/core.py:7", "BRK202")
    (hit,) = all_checks()["LibraryCallThatBreaks"]().visit_library_break(call)
    assert hit[:2] == (node, "this call breaks in shapes/core.py:7 (BRK202)")


def test_every_check_class_has_a_case_here_and_a_card() -> None:
    assert (
        {*CASES, "CallThatBreaks", "LibraryCallThatBreaks", "MarkedSize", "ModuleOutsideGraph", "RequiresGrad"}
        == set(all_checks())
        == {rule.check for rule in load_rules() if rule.check}
    )


def test_every_event_has_a_visitor() -> None:
    assert set(VISITORS) == {
        kind for kind in vars(events).values() if isinstance(kind, type) and Event in kind.__bases__
    }


def test_a_visitor_takes_the_event_of_its_name() -> None:
    for check in all_checks().values():
        for event, visit in check().visitors():
            assert next(iter(get_type_hints(visit).values())) is event, visit


def test_a_visitor_of_no_event_is_refused_where_it_is_written() -> None:
    with pytest.raises(TypeError, match=r"Misspelled\.visit_cal is not an event"):
        type("Misspelled", (Check,), {"visit_cal": None})


def test_a_second_class_of_one_name_is_refused() -> None:
    with pytest.raises(TypeError, match="two check classes are called BranchOnTensor: "):
        type("BranchOnTensor", (Check,), {"visit_call": all_checks()["GrowingList"].visit_call})


def test_a_class_without_visitors_is_a_base_and_no_check() -> None:
    type("Shared", (Check,), {"__module__": __name__})
    assert not {"Shared", "GrowingContainer"} & set(all_checks())


class Counting(Check):
    """Looks at calls of one function, and counts how often it is asked for others."""

    asked: ClassVar[list[tuple[str, str]]] = []

    def applies_to(self, target: str, method: str) -> bool:
        self.asked.append((target, method))
        return target == "torch.relu"

    def visit_call(self, call: Call) -> Iterator[Hit]:
        yield Hit(call.node)


del CHECKS["Counting"]


def test_a_check_is_asked_once_whether_it_looks_at_calls_of_a_function(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(all_checks(), "Counting", Counting)
    rules = RuleSet([Rule("ABC001", "own-rule", "a rule", Effect.BREAK, Severity.ERROR, "because", check="Counting")])
    node, frame = ast.parse("f(x)", mode="eval").body, Frame.__new__(Frame)
    relus, sums = ([Call(node, frame, target, [], {}) for _ in range(2)] for target in ("torch.relu", "torch.sum"))
    assert [rules.applies_to(call) for call in relus] == [True, True]
    assert [rules.applies_to(call) for call in sums] == [False, False]
    assert Counting.asked == [("torch.relu", ""), ("torch.sum", "")]
    assert [list(visitor.visit(relus[0])) for visitor in rules.visitors(relus[0])] == [[Hit(node)]]


SPELLINGS = (
    "BranchOnTensor",
    "breaklint.checks.control_flow.BranchOnTensor",
    "breaklint.rules.checks.control_flow.BranchOnTensor",
    "breaklint.rules.checks.elsewhere.BranchOnTensor",
)


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_card_names_a_check_by_its_class(tmp_path: Path, spelling: str) -> None:
    rule = _card(tmp_path, spelling)
    assert check_class(rule) is all_checks()["BranchOnTensor"]


@pytest.mark.parametrize(
    ("spelling", "message"),
    [
        ("BranchOnTensors", "card ABC001: check 'BranchOnTensors' does not exist; did you mean `BranchOnTensor`?"),
        ("Zzz", "card ABC001: check 'Zzz' does not exist"),
        ("breaklint.rules.checks.shapes.ast", "card ABC001: check 'breaklint.rules.checks.shapes.ast' does not exist"),
        ("os.system", "key `check` is 'os.system'; it must be a class of breaklint/rules/checks, such as"),
    ],
)
def test_a_check_that_does_not_exist_is_an_error_of_one_line(tmp_path: Path, spelling: str, message: str) -> None:
    with pytest.raises(CardError, match=re.escape(message)) as raised:
        RuleSet([_card(tmp_path, spelling)])
    assert "\n" not in str(raised.value)


def _card(folder: Path, check: str) -> Rule:
    path = folder / "own-rule.yaml"
    path.write_text(
        f"code: ABC001\nname: own-rule\nsummary: a rule\neffect: break\nwhy: because\ncheck: {check}\n"
        "examples:\n  - good: |\n      import torch\n",
        encoding="utf-8",
    )
    return read_card(path)
