"""Rewrites that remove a break and keep, or lose, what no output of the given call shows; each with its verdict.

`benchmarks/verify/hostile.py --rewrites` runs all; tests/verify/test_hostile_rewrites.py runs some of each kind.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from textwrap import indent
from typing import Any

KEEPS, WRONG, REMAINS, UNCOMPILED = "correct", "wrong-result", "break-remains", "not-compiled"

TEXT = """\
import gc, os, random, sys, time, uuid, warnings
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

{top}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.linspace(0.5, 1.5, 4))
{init}

    {signature}
{forward}


def get_inputs():
    return [{inputs}]
"""
INPUTS = "torch.tensor([[-1.0, 0.5, 2.0, 3.0], [1.0, 4.0, 5.0, 6.0]])"
TOLD = 'print("told")\n'
Sides = str | tuple[str, str]
"""The lines of both sources, or those before and those after."""


@dataclass(frozen=True, eq=False)
class Rewrite:
    """A model before and after: lines at the top level, of the constructor, and of forward.

    `words` are those that the verdict's reason names, `note` those of a note, `files` modules beside the
    target, `options` those of verify.
    """

    name: str
    verdict: str
    top: Sides = ""
    init: Sides = ""
    forward: Sides = ""
    words: str = ""
    inputs: str = INPUTS
    signature: Sides = "def forward(self, x):"
    files: dict[str, str] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    note: str = ""

    def write(self, folder: Path) -> Path:
        """A fixture folder of its name."""
        path = folder / self.name
        path.mkdir(parents=True)
        for number, side in enumerate(("before", "after")):
            told = TOLD if number == 0 else ""
            text = TEXT.format(
                top=_of(self.top, number),
                init=indent(_of(self.init, number), " " * 8),
                forward=indent(told + _of(self.forward, number), " " * 8),
                signature=_of(self.signature, number),
                inputs=self.inputs,
            )
            (path / f"{side}.py").write_text(text, encoding="utf-8")
        for name, text in self.files.items():
            (path / name).write_text(text, encoding="utf-8")
        return path


def _of(sides: Sides, number: int) -> str:
    return sides if isinstance(sides, str) else sides[number]


EAGER = """
class Eager(nn.Module):
    __call__ = torch.compiler.disable(nn.Module.__call__)


nn = type("nn", (), {"Module": Eager, "Parameter": nn.Parameter})
"""
WHOLE = "return x * self.scale + 1"
COUNTER = """
def counter():
    seen = [0]

    def count(x):
        {0}
        return x

    return count


count = counter()
"""
NONLOCAL = """
def counter():
    seen = 0

    def count(x):
        nonlocal seen
        {0}
        return x

    return count


count = counter()
"""
DECORATED = """
def counted(function):
    calls = [0]

    def inner(x):
        {0}
        return function(x)

    return inner


@counted
def count(x):
    return x
"""
COUNTS = f"x = count(x)\n{WHOLE}"
UP = "seen[0] += 1"
NOT = "pass"
SQUARE = """
class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return 2 * {0} * grad
"""
HOOK = "y = x * self.scale\nif y.requires_grad:\n    y.register_hook(lambda grad: grad.clamp(-{0}, {0}))\nreturn y + 1"
BRANCH = "if x.max() {0} 6:\n    return x * self.scale\nreturn x + self.scale"
WHERE = "return torch.where(x.max() {0} 6, x * self.scale, x + self.scale)"


def both(text: str, before: str, after: str) -> tuple[str, str]:
    """A text with a gap, filled for each side."""
    return text.replace("{0}", before), text.replace("{0}", after)


REWRITES = (
    # State outside of the model: closure cells, globals and functions of every module of the region.
    Rewrite("cell-not-updated", WRONG, both(COUNTER, UP, NOT), forward=COUNTS, words="count"),
    Rewrite("cell-rebound", WRONG, both(NONLOCAL, "seen += 1", "seen = seen"), forward=COUNTS, words="count"),
    Rewrite("decorator-cell", WRONG, both(DECORATED, "calls[0] += 1", NOT), forward=COUNTS, words="count"),
    Rewrite("cell-updated", KEEPS, COUNTER.replace("{0}", UP), forward=COUNTS),
    Rewrite(
        "cell-renamed", KEEPS, (COUNTER.replace("{0}", NOT), NONLOCAL.replace("{0}", "seen = seen")), forward=COUNTS
    ),
    Rewrite(
        "function-attribute",
        WRONG,
        both("def count(x):\n    {0}\n    return x\n\ncount.calls = 0", "count.calls += 1", NOT),
        forward=COUNTS,
        words="calls",
    ),
    Rewrite(
        "default-argument",
        WRONG,
        both("def count(x, seen=[]):\n    {0}\n    return x", "seen.append(1)", NOT),
        forward=COUNTS,
        words="count",
    ),
    Rewrite(
        "other-modules-global",
        WRONG,
        "import told_by",
        forward=both(f"{{0}}\n{WHOLE}", "told_by.CALLS.append(1)", NOT),
        words="told_by",
        files={"told_by.py": "CALLS = []\n"},
    ),
    Rewrite(
        "other-modules-cell",
        WRONG,
        "import told_by",
        forward=both(f"{{0}}\n{WHOLE}", "told_by.count(1)", NOT),
        words="told_by",
        files={"told_by.py": COUNTER.replace("{0}", UP)},
    ),
    Rewrite(
        "other-modules-global-kept",
        KEEPS,
        "import told_by",
        forward=f"told_by.CALLS.append(1)\n{WHOLE}",
        files={"told_by.py": "CALLS = []\n"},
    ),
    Rewrite(
        "other-class",
        WRONG,
        "class Stats:\n    calls = 0",
        forward=both(f"{{0}}\n{WHOLE}", "Stats.calls += 1", NOT),
        words="Stats",
    ),
    Rewrite(
        "global-object",
        WRONG,
        "class Stats:\n    calls = 0\n\nSTATS = Stats()",
        forward=both(f"{{0}}\n{WHOLE}", "STATS.calls += 1", NOT),
        words="STATS",
    ),
    Rewrite(
        "parameter-not-updated",
        WRONG,
        forward=both(
            "y = x * self.scale\nwith torch.no_grad():\n    {0}\nreturn y", "self.scale.clamp_(max=1.0)", "pass"
        ),
        words="scale",
    ),
    Rewrite("library-function-replaced", WRONG, ("", "torch.selu = torch.relu"), forward=WHOLE, words="selu"),
    Rewrite(
        "builtin-replaced",
        WRONG,
        ("", "import builtins\nbuiltins.print = lambda *a, **k: None"),
        forward=WHOLE,
        words="print",
    ),
    Rewrite("method-replaced", WRONG, ("", "torch.Tensor.item = lambda self: 0.0"), forward=WHOLE, words="item"),
    # Modes.
    Rewrite(
        "batch-statistics-lost",
        WRONG,
        init="self.norm = nn.BatchNorm1d(4)",
        forward=(
            "return self.norm(x) * self.scale",
            "n = self.norm\nreturn F.batch_norm(x, n.running_mean, n.running_var, n.weight, n.bias) * self.scale",
        ),
        words="training",
    ),
    Rewrite(
        "batch-statistics-kept", KEEPS, init="self.norm = nn.BatchNorm1d(4)", forward="return self.norm(x) * self.scale"
    ),
    Rewrite(
        "dropout-removed",
        WRONG,
        init="self.drop = nn.Dropout(0.5)",
        forward=("return self.drop(x) * self.scale", "return x * self.scale"),
        words="training",
    ),
    Rewrite("dropout-kept", KEEPS, init="self.drop = nn.Dropout(0.5)", forward="return self.drop(x) * self.scale"),
    Rewrite(
        "momentum-changed",
        WRONG,
        init=both("self.norm = nn.BatchNorm1d(4, momentum={0})", "0.1", "0.2"),
        forward="return self.norm(x) * self.scale",
        words="momentum",
    ),
    Rewrite(
        "training-branch-lost",
        WRONG,
        forward=("if self.training:\n    x = x + 1\nreturn x * self.scale", "return x * self.scale"),
        words="training",
    ),
    Rewrite(
        "evaluation-branch-lost",
        WRONG,
        forward=("if not self.training:\n    x = x + 1\nreturn x * self.scale", "return x * self.scale"),
        words="evaluation",
        options={"train": True},
    ),
    Rewrite(
        "mode-left-changed",
        WRONG,
        init="self.drop = nn.Dropout(0.5)",
        forward=both(f"{{0}}\n{WHOLE}", "pass", "self.drop.eval()"),
        words="training",
    ),
    # Settings of the process.
    Rewrite("flush-denormal", WRONG, ("", "torch.set_flush_denormal(True)"), forward=WHOLE, words="denormal"),
    Rewrite("gc-disabled", WRONG, ("", "gc.disable()"), forward=WHOLE, words="gc"),
    Rewrite("gc-threshold", WRONG, init=("", "gc.set_threshold(10, 10, 10)"), forward=WHOLE, words="gc"),
    Rewrite("warnings-ignored", WRONG, ("", "warnings.simplefilter('ignore')"), forward=WHOLE, words="warnings"),
    Rewrite("seeded-at-import", WRONG, ("", "torch.manual_seed(7)"), forward=WHOLE, words="random"),
    Rewrite("seeded-when-built", WRONG, init=("", "random.seed(7)"), forward=WHOLE, words="random"),
    Rewrite("numpy-draws-lost", WRONG, forward=both(f"{{0}}\n{WHOLE}", "np.random.rand()", "pass"), words="drawn"),
    Rewrite(
        "threads", WRONG, ("", "torch.set_num_threads(torch.get_num_threads() + 1)"), forward=WHOLE, words="threads"
    ),
    Rewrite(
        "gradients-off",
        WRONG,
        forward=both("y = x * self.scale + 1\n{0}\nreturn y", "pass", "torch.set_grad_enabled(False)"),
        words="grad",
    ),
    Rewrite("default-device", WRONG, ("", "torch.set_default_device('cpu')"), forward=WHOLE, words="device"),
    Rewrite("environment", WRONG, forward=both(f"{{0}}\n{WHOLE}", "os.environ['TOLD'] = '1'", "pass"), words="environ"),
    Rewrite("recursion-limit", WRONG, ("", "sys.setrecursionlimit(5000)"), forward=WHOLE, words="recursion"),
    Rewrite("numpy-errors", WRONG, init=("", "np.seterr(all='ignore')"), forward=WHOLE, words="numpy"),
    Rewrite(
        "logging-off", WRONG, ("", "import logging\nlogging.getLogger().setLevel(50)"), forward=WHOLE, words="logging"
    ),
    Rewrite(
        "fast-path-off", WRONG, ("", "torch.backends.mha.set_fastpath_enabled(False)"), forward=WHOLE, words="fastpath"
    ),
    Rewrite(
        "autocast-left-on",
        WRONG,
        forward=both("y = x * self.scale + 1\n{0}\nreturn y", "pass", "torch.set_autocast_enabled('cpu', True)"),
        words="autocast",
    ),
    Rewrite(
        "same-settings",
        KEEPS,
        "torch.set_flush_denormal(True)\ngc.set_threshold(10, 10, 10)\nwarnings.simplefilter('ignore')",
        forward=WHOLE,
    ),
    # Boundaries of comparisons.
    Rewrite(
        "boundary-of-a-branch",
        WRONG,
        forward=(BRANCH.replace("{0}", ">"), WHERE.replace("{0}", ">=")),
        inputs="torch.tensor([[1.0, 2.0, 3.0, 4.0]])",
    ),
    Rewrite(
        "boundary-kept",
        KEEPS,
        forward=(BRANCH.replace("{0}", ">"), WHERE.replace("{0}", ">")),
        inputs="torch.tensor([[1.0, 2.0, 3.0, 4.0]])",
    ),
    Rewrite("boundary-of-a-mask", WRONG, forward=both("return torch.where(x {0} 2.5, x * self.scale, -x)", ">", ">=")),
    Rewrite(
        "boundary-of-a-sum",
        WRONG,
        forward=(
            "if x.sum() < 10:\n    return x * self.scale\nreturn x - self.scale",
            "return torch.where(x.sum() <= 10, x * self.scale, x - self.scale)",
        ),
    ),
    Rewrite(
        "rounding-at-a-boundary",  # where kernels add in another order
        KEEPS,
        init="self.fc = nn.Linear(16, 16)",
        forward=(
            "x = self.fc(x)\nif x.sum() > 0:\n    x = x * 2\nreturn x",
            "x = self.fc(x)\nreturn torch.where(x.sum() > 0, x * 2, x)",
        ),
        inputs="torch.randn(8, 16)",
        options={"backend": "inductor"},
    ),
    Rewrite(
        "boundary-of-a-parameter",
        WRONG,
        init="self.limit = 0.25",
        forward=both("return torch.where(x {0} self.limit, x * self.scale, -x)", "<", "<="),
    ),
    Rewrite(
        "batch-branch-lost",
        WRONG,
        forward=("if x.shape[0] == 1:\n    return -x * self.scale\nreturn x * self.scale", "return x * self.scale"),
    ),
    Rewrite(
        "check-lost",
        WRONG,
        forward=("if x.shape[0] % 2:\n    raise ValueError(x.shape)\nreturn x * self.scale", "return x * self.scale"),
    ),
    # Gradients.
    Rewrite(
        "double-backward-lost",
        WRONG,
        ("", SQUARE.replace("{0}", "x.detach()")),
        forward=("return (x * x) * self.scale", "return Square.apply(x) * self.scale"),
        words="second",
    ),
    Rewrite(
        "double-backward-kept",
        KEEPS,
        ("", SQUARE.replace("{0}", "x")),
        forward=("return (x * x) * self.scale", "return Square.apply(x) * self.scale"),
    ),
    Rewrite("clamp-of-gradients-lost", WRONG, forward=(HOOK.replace("{0}", "5"), WHOLE), words="gradient"),
    Rewrite("clamp-of-gradients-kept", KEEPS, forward=HOOK.replace("{0}", "5")),
    Rewrite(
        "clamp-of-a-parameter-lost",
        WRONG,
        init=("self.scale.register_hook(lambda grad: grad.clamp(-50, 50))", ""),
        forward=WHOLE,
        words="gradient",
    ),
    Rewrite(
        "backward-hook-lost",
        WRONG,
        init=(
            "self.inner = nn.Linear(4, 4)\n"
            "self.inner.register_full_backward_hook(lambda m, i, o: tuple(g.clamp(-9, 9) for g in i))",
            "self.inner = nn.Linear(4, 4)",
        ),
        forward="return self.inner(x * self.scale)",
        words="gradient",
    ),
    # The state dict, attributes, the signature.
    Rewrite(
        "new-buffer",
        KEEPS,
        init=("", "self.register_buffer('offsets', torch.ones(4), persistent=False)"),
        forward=("return x * self.scale + torch.ones(4)", "return x * self.scale + self.offsets"),
    ),
    Rewrite(
        "new-attribute", KEEPS, init=("", "self.offset = 1"), forward=(WHOLE, "return x * self.scale + self.offset")
    ),
    Rewrite(
        "new-key",
        KEEPS,
        init=("", "self.register_buffer('offsets', torch.ones(4))"),
        forward=("return x * self.scale + torch.ones(4)", "return x * self.scale + self.offsets"),
    ),
    Rewrite(
        "new-key-refused",
        WRONG,
        init=("", "self.register_buffer('offsets', torch.ones(4))"),
        forward=("return x * self.scale + torch.ones(4)", "return x * self.scale + self.offsets"),
        words="state dict",
        options={"same_state_dict": True},
    ),
    Rewrite(
        "key-lost",
        WRONG,
        init=both("self.register_buffer('offsets', torch.ones(4){0})", "", ", persistent=False"),
        forward="return x * self.scale + self.offsets",
        words="state dict",
    ),
    Rewrite(
        "keyword-renamed",
        WRONG,
        signature=("def forward(self, x, bias=1.0):", "def forward(self, x, offset=1.0):"),
        forward=("return x * self.scale + bias", "return x * self.scale + offset"),
        words="bias",
    ),
    Rewrite(
        "default-changed",
        WRONG,
        signature=("def forward(self, x, flip=False):", "def forward(self, x, flip=True):"),
        forward="return x * self.scale",
        words="flip",
    ),
    # Other inputs.
    Rewrite(
        "only-contiguous",
        WRONG,
        forward=("return (x * 1).reshape(-1) * self.scale.sum()", "return x.view(-1) * self.scale.sum()"),
        words="contiguous",
    ),
    Rewrite(
        "only-float32",
        WRONG,
        forward=("return x * self.scale + x.new_ones(4)", "return (x * self.scale + 1).to(torch.float32)"),
        words="float64",
    ),
    # What differs between two runs of the original is no difference.
    Rewrite(
        "timer",
        REMAINS,
        init="self.seconds = 0.0",
        forward="then = time.perf_counter()\ny = x * self.scale\n"
        "self.seconds = time.perf_counter() - then\nreturn y + 1",
    ),
    Rewrite("unique-name", KEEPS, init="self.name = uuid.uuid4().hex", forward=WHOLE),
    Rewrite("process-id", KEEPS, "PID = os.getpid()\nSTARTED = time.time()", forward=WHOLE),
    Rewrite("kept-by-address", KEEPS, init="self.places = {}", forward=f"self.places[id(self)] = 1\n{WHOLE}"),
    Rewrite("object-in-text", KEEPS, init="self.label = repr(object())", forward=WHOLE),
    Rewrite("timer-in-a-cell", REMAINS, COUNTER.replace("{0}", "seen[0] = time.perf_counter()"), forward=COUNTS),
    Rewrite(
        "timer-and-count-lost",
        WRONG,
        init="self.seconds = 0.0\nself.calls = 0",
        forward=both(f"self.seconds = time.perf_counter()\n{{0}}\n{WHOLE}", "self.calls += 1", "pass"),
        words="calls",
    ),
    # What may change.
    Rewrite(
        "new-helpers",
        KEEPS,
        ("", "OFFSET = 1\n\ndef shifted(x):\n    return x + OFFSET"),
        forward=(WHOLE, "return shifted(x * self.scale)"),
    ),
    Rewrite("new-import", KEEPS, ("", "import decimal, fractions"), forward=WHOLE),
    Rewrite(
        "where-for-if",
        KEEPS,
        forward=(
            "if x.sum() > 0:\n    y = x * self.scale\nelse:\n    y = x - self.scale\nreturn y",
            "return torch.where(x.sum() > 0, x * self.scale, x - self.scale)",
        ),
    ),
    Rewrite("draws-kept", KEEPS, forward="return x * self.scale + torch.rand_like(x)"),
    Rewrite(
        "helper-cached",
        KEEPS,
        "import functools\n\n@functools.lru_cache\ndef offset():\n    return 1.0",
        forward="return x * self.scale + offset()",
    ),
    Rewrite(
        "helper-inlined",
        KEEPS,
        ("def shifted(x):\n    return x + 1", ""),
        forward=("return shifted(x * self.scale)", WHOLE),
    ),
    # What is not compiled, and what still breaks.
    Rewrite(
        "python-random",
        REMAINS,
        forward="for _ in range(2):\n    if random.uniform(0, 1) < 0.5:\n        x = x + self.scale\n"
        "        print('loop')\nreturn x * self.scale",
    ),
    Rewrite("not-compiled", UNCOMPILED, ("", EAGER), forward=WHOLE, words="nothing is compiled"),
    Rewrite(
        "not-compiled-draws",
        UNCOMPILED,
        ("", EAGER),
        forward="for _ in range(4):\n    if random.uniform(0, 1) < 0.5:\n        x = x + self.scale\nreturn x",
    ),
    Rewrite(
        "line-moved",
        REMAINS,
        forward=(
            f"x = x * 2\nopen(os.devnull).close()\n{WHOLE}",
            f"x = x * 2\ny = x\nx = y\nopen(os.devnull).close()\n{WHOLE}",
        ),
        words="",
    ),
)
