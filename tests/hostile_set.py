"""Models and fixes that crash, cheat or differ, each with the verdicts that would be right.

`tests/verify/test_hostile_set.py` runs one model or a few of each cause, on the CPU;
`benchmarks/verify/hostile.py` runs all.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from textwrap import indent

PROVEN = ("confirmed", "not-faster", "inconclusive")
"""What is right where break and results are: how fast it runs is for the machine to say."""

MODEL = """\
import copy, http, logging, os, random, sys, time
import torch
from torch import nn
{prelude}

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.linspace(0.5, 1.5, 4))
        self.register_buffer("seen", torch.zeros(()))
        self.calls = 0
        self.history = [http.HTTPStatus.OK]

    def inner(self, x):
        print("inner")
        return x * self.scale

    def forward(self, x):
{forward}


def get_inputs():
    return [torch.tensor([[-1.0, 0.5, 2.0, 3.0], [1.0, 4.0, 5.0, 6.0]])]
"""


@dataclass(frozen=True)
class Hostile:
    """A model and a so-called fix, as the lines of their forward methods.

    `verdicts` are the right ones, `words` what the verdict's reason has to name. `prelude` is module-level code of the
    fix, `dependency` the text of an installed package that it imports.
    """

    name: str
    before: str
    after: str | None
    verdicts: tuple[str, ...]
    words: str
    cuda_only: bool = False
    prelude: str = ""
    dependency: str = ""

    def write(self, folder: Path) -> Path:
        """A fixture folder of its name."""
        path = folder / self.name
        path.mkdir(parents=True)
        (path / "before.py").write_text(_source(self.before, ""), encoding="utf-8")
        if self.after is not None:
            (path / "after.py").write_text(_source(self.after, self.prelude), encoding="utf-8")
        if self.dependency:
            (path / "site-packages").mkdir()
            (path / "site-packages" / "hostile_dependency.py").write_text(self.dependency, encoding="utf-8")
        return path


def _source(forward: str, prelude: str) -> str:
    return MODEL.format(forward=indent(forward, " " * 8), prelude=prelude)


BREAKS = 'y = x * self.scale\nprint("hidden")\nreturn y + 1'
WHOLE = "y = x * self.scale\nreturn y + 1"
EAGER = """
class Eager(nn.Module):
    __call__ = torch.compiler.disable(nn.Module.__call__)


nn = type("nn", (), {"Module": Eager, "Parameter": nn.Parameter})
"""
HARDLY = f'{EAGER}\nnegated = torch.compile(torch.neg, backend="eager")\n'
DEPENDENT = """
sys.path.append(os.path.join(os.path.dirname(__file__), "site-packages"))
from hostile_dependency import announced
"""
HOOKED = """
@torch.compiler.disable
def plain(module, args, output):
    return output + 1


class Hooked(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_forward_hook(plain)


nn = type("nn", (), {"Module": Hooked, "Parameter": nn.Parameter})
"""
RESTS = """
@torch.library.custom_op("hostile::rested", mutates_args=())
def rested(x: torch.Tensor) -> torch.Tensor:
    time.sleep(0.02)
    return x.clone()


rested.register_fake(torch.clone)
"""
KEPT = "\nKEPT = {}\n"
BACKWARD = """
def backward(ctx, grad):
    x, scale = ctx.saved_tensors
    return grad * scale, (grad * x).sum(0)
"""
MEMO = f"""{BACKWARD}
KEPT = {{}}


@torch.library.custom_op("hostile::memo", mutates_args=())
def memo(x: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
    key = bytes(x.tolist().__repr__() + scale.tolist().__repr__(), "utf-8")
    if key not in KEPT:
        time.sleep(0.002)
        KEPT[key] = x * scale + 1
    return KEPT[key].clone()


memo.register_fake(lambda x, scale: torch.empty_like(x))
memo.register_autograd(backward, setup_context=lambda ctx, inputs, output: ctx.save_for_backward(*inputs))
"""
TIRES = f"""{BACKWARD}
CALLS = []


@torch.library.custom_op("hostile::tires", mutates_args=())
def tires(x: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
    CALLS.append(0)
    return x * scale + 1 if len(CALLS) < 40 else torch.empty_like(x)


tires.register_fake(lambda x, scale: torch.empty_like(x))
tires.register_autograd(backward, setup_context=lambda ctx, inputs, output: ctx.save_for_backward(*inputs))
"""
WATCHED = f"""{BACKWARD}
@torch.library.custom_op("hostile::watched", mutates_args=())
def watched(x: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
    frame, names = sys._getframe(), set()
    while frame:
        names.add(frame.f_code.co_name)
        frame = frame.f_back
    return torch.zeros_like(x) if "sample" in names else x * scale + 1


watched.register_fake(lambda x, scale: torch.empty_like(x))
watched.register_autograd(backward, setup_context=lambda ctx, inputs, output: ctx.save_for_backward(*inputs))
"""
LENIENT = """
import breaklint.verify.arm.accuracy as accuracy
accuracy.compare = lambda *args, **kwargs: []
accuracy._differences = lambda *args, **kwargs: iter(())
for module in list(sys.modules.values()):
    if getattr(module, "__name__", "").startswith("breaklint.") and hasattr(module, "compare"):
        module.compare = accuracy.compare
"""
FORGED = """
import breaklint.verify.arm.observe as observing
REAL = observing.snapshot
observing.snapshot = lambda value: REAL(value - 1 if isinstance(value, torch.Tensor) and value.dim() == 2 else value)
"""
CLOCK = """
NOW = time.perf_counter
time.perf_counter = lambda: NOW() / 50
"""
CLOCK_CODE = """
import breaklint.verify.arm.stopwatch as stopwatch
stopwatch.Stopwatch.sample = lambda self: 1e-3
"""
UNCLEAN = """
import torch._dynamo
real_compile = torch.compile
torch.compile = lambda model, fullgraph=False, **how: real_compile(model, **how)
"""
WRONG, REMAINS, ERROR, UNCOMPILED = ("wrong-result",), ("break-remains",), ("error",), ("not-compiled",)

HOSTILE = (
    # First, since it takes longest.
    Hostile("hang", BREAKS, "time.sleep(3600)", ("inconclusive",), "longer than"),
    # Fixes that change what the model computes.
    Hostile("wrong-values", BREAKS, "return x * self.scale + 1.01", WRONG, "output differs in 8 of 8"),
    Hostile(
        "nan-gradients",
        "if x.min() < 0:\n    return x * self.scale\nelse:\n    return x.sqrt()",
        "return torch.where(x.min() < 0, x * self.scale, x.sqrt())",
        WRONG,
        "NaN",
    ),
    Hostile("lost-gradient", BREAKS, "return x * self.scale.detach() + 1", WRONG, "gradients.scale is gone"),
    Hostile("other-dtype", BREAKS, "return (x * self.scale + 1).double()", WRONG, "dtype torch.float64"),
    Hostile("input-changed", BREAKS, "return x.mul_(self.scale) + 1", WRONG, "inputs"),
    Hostile("buffer-not-updated", f"self.seen += 1\n{BREAKS}", WHOLE, WRONG, "state.seen differs in 1 of 1 elements"),
    Hostile("attribute-not-updated", f"self.calls += 1\n{BREAKS}", WHOLE, WRONG, "calls is 0, not 1"),
    Hostile("copy-for-a-view", 'print("hidden")\nreturn x.view(8)', "return x.clone().view(8)", WRONG, "memory"),
    Hostile("view-for-a-copy", 'print("hidden")\nreturn x.clone()', "return x", WRONG, "memory"),
    Hostile("raises-once-rewritten", BREAKS, "raise ValueError(x.shape)", WRONG, "exception"),
    Hostile(
        "differs-once-compiled",
        BREAKS,
        f"if torch.compiler.is_compiling():\n    x = x + 1\n{WHOLE}",
        WRONG,
        "compiled, the result differs",
    ),
    Hostile(
        "random-once-rewritten", BREAKS, f"x = x + int.from_bytes(os.urandom(4), 'big')\n{WHOLE}", WRONG, "differs"
    ),
    # Fixes after which the graph still breaks.
    Hostile(
        "break-moved",
        BREAKS,
        "y = x * self.scale\nz = y + 1\nopen(os.devnull).close()\nreturn z",
        REMAINS,
        "after.py:21",
    ),
    Hostile(
        "break-in-a-loop", 'for _ in range(2):\n    x = x * self.scale\n    print("round")\nreturn x', None, REMAINS, ""
    ),
    Hostile("break-in-a-call", f"x = self.inner(x)\n{BREAKS}", f"x = self.inner(x)\n{WHOLE}", REMAINS, "after.py:15"),
    Hostile(
        "break-in-a-try",
        BREAKS,
        'try:\n    y = x * self.scale\n    print("hidden")\nexcept ValueError:\n    y = x\nreturn y + 1',
        REMAINS,
        "after.py:21",
    ),
    Hostile(
        "break-in-a-dependency",
        BREAKS,
        f"x = announced(x)\n{WHOLE}",
        REMAINS,
        "hostile_dependency.py:2",
        prelude=DEPENDENT,
        dependency='def announced(x):\n    print("working")\n    return x\n',
    ),
    Hostile("leading-break", f'print("first")\n{BREAKS}', f'print("first")\n{WHOLE}', REMAINS, "after.py:19"),
    Hostile("trailing-break", BREAKS, 'y = x * self.scale + 1\nprint("last")\nreturn y', REMAINS, "after.py:20"),
    Hostile(
        "disabled",
        BREAKS,
        "return plain(self, x)",
        REMAINS,
        "",
        prelude=("\n@torch.compiler.disable\ndef plain(self, x):\n    return x * self.scale + 1\n"),
    ),
    # No strict gate of torch's own complains about these: up to torch 2.11 about the first, later about the others.
    Hostile("never-compiled", BREAKS, WHOLE, UNCOMPILED, "no graph", prelude=EAGER),
    Hostile(
        "hardly-compiled",
        BREAKS,
        f"x = negated(x)\n{WHOLE}".replace("x *", "-x *"),
        UNCOMPILED,
        "no graph",
        prelude=HARDLY,
    ),
    Hostile("work-in-a-hook", BREAKS, "return x * self.scale", REMAINS, "", prelude=HOOKED),
    Hostile("silenced-log", BREAKS, BREAKS, WRONG, "settings.logging", prelude="logging.disable(logging.CRITICAL)\n"),
    # Fixes that end the process, or never end.
    Hostile("segmentation-fault", BREAKS, "import ctypes\nctypes.string_at(0)", ERROR, "SIGSEGV"),
    Hostile("abort", BREAKS, "os.abort()", ERROR, "SIGABRT"),
    Hostile("exit-status", BREAKS, "os._exit(3)", ERROR, "exit status 3"),
    Hostile("sys-exit", BREAKS, "sys.exit('bye')", ERROR, "SystemExit: bye"),
    Hostile("out-of-memory", BREAKS, f"torch.empty(10**15, device=x.device)\n{WHOLE}", ERROR, "memory"),
    Hostile("fork", BREAKS, f"if os.fork():\n    os.wait()\n{WHOLE}", (*REMAINS, *ERROR, "inconclusive"), ""),
    Hostile(
        "raises-once-compiled",
        BREAKS,
        f"if torch.compiler.is_compiling():\n    raise ValueError('compiled')\n{WHOLE}",
        REMAINS,
        "after.py:20",
    ),
    Hostile("device-assert", BREAKS, f"torch._assert_async((x > 100).all())\n{WHOLE}", ERROR, "after", cuda_only=True),
    # Models that cannot be judged, or are right but not worth it.
    Hostile("fails-by-itself", "return x @ x", None, ERROR, "before.py:19"),
    Hostile(
        "differs-from-itself",
        "return x + int.from_bytes(os.urandom(4), 'big')",
        None,
        ("inconclusive",),
        "not determin",
    ),
    Hostile(
        "slower",
        BREAKS,
        "return x * self.scale + 1 + (rested(x.detach()) - x.detach())",
        ("not-faster",),
        "but not faster: 0.0",
        prelude=RESTS,
    ),
    Hostile(
        "recompiles-every-time",
        BREAKS,
        "GROWS.append(0)\nreturn x * self.scale + 1 + 0 * len(GROWS)",
        ("recompiles",),
        "equal calls",
        prelude="\nGROWS = []\n",
    ),
    # Results kept from an earlier call: by nothing, by the place of the inputs, by their values, for the clock alone.
    Hostile(
        "kept-in-a-global",
        BREAKS,
        'if "y" not in KEPT:\n    KEPT["y"] = x * self.scale + 1\nreturn KEPT["y"]',
        (*WRONG, *REMAINS),
        "",
        prelude=KEPT,
    ),
    Hostile(
        "kept-by-place",
        BREAKS,
        "if x.data_ptr() not in KEPT:\n    KEPT[x.data_ptr()] = x * self.scale + 1\nreturn KEPT[x.data_ptr()]",
        (*WRONG, *REMAINS),
        "",
        prelude=KEPT,
    ),
    Hostile(
        "kept-by-identity",
        BREAKS,
        "if id(x) not in KEPT:\n    KEPT[id(x)] = x * self.scale + 1\nreturn KEPT[id(x)]",
        (*WRONG, *REMAINS),
        "",
        prelude=KEPT,
    ),
    Hostile(
        "kept-weights",
        BREAKS,
        'if not hasattr(self, "_doubled"):\n    self._doubled = self.scale * 1\nreturn x * self._doubled + 1',
        (*WRONG, *REMAINS, *ERROR),
        "",
    ),
    Hostile(
        "kept-by-value",
        "y = torch.ops.aten.mul(x, self.scale)\ntime.sleep(0.001)\nreturn y + 1",
        "return memo(x, self.scale)",
        ("inconclusive", "not-faster"),
        "",
        prelude=MEMO,
    ),
    Hostile("wrong-once-timed", BREAKS, "return tires(x, self.scale)", WRONG, "", prelude=TIRES),
    Hostile("wrong-where-timed", BREAKS, "return watched(x, self.scale)", WRONG, "after timing", prelude=WATCHED),
    Hostile(
        "computed-ahead",
        BREAKS,
        'if not hasattr(type(self), "told"):\n    type(self).told = x * self.scale + 1\nreturn type(self).told + 0 * x',
        (*WRONG, *REMAINS, *ERROR),
        "",
    ),
    # Other results than values: classes, strides, memory, settings, random numbers, what is left at top level.
    Hostile(
        "list-for-a-tuple",
        f"{BREAKS.replace('return y + 1', 'return y + 1, y')}",
        "y = x * self.scale\nreturn [y + 1, y]",
        WRONG,
        "classes",
    ),
    Hostile(
        "other-strides",
        BREAKS,
        "return (x * self.scale + 1).t().contiguous().t()",
        WRONG,
        "strides",
    ),
    Hostile("subclass", BREAKS, "return nn.Parameter(x * self.scale + 1)", (*WRONG, *REMAINS), ""),
    Hostile(
        "one-result-for-all",
        BREAKS,
        'if "y" not in KEPT:\n    KEPT["y"] = torch.empty_like(x)\nreturn KEPT["y"].copy_(x * self.scale + 1)',
        (*WRONG, *REMAINS),
        "",
        prelude=KEPT,
    ),
    Hostile(
        "other-settings",
        BREAKS,
        WHOLE,
        WRONG,
        "settings",
        prelude="torch.set_num_threads(1 + torch.get_num_threads())\n",
    ),
    Hostile(
        "other-order",
        BREAKS.replace("return y + 1", 'return {"y": y, "z": y + 1}'),
        'y = x * self.scale\nreturn {"z": y + 1, "y": y}',
        WRONG,
        "dict of z, y",
    ),
    Hostile("mark-lost", BREAKS.replace("return", "y.kind = 1\nreturn y,"), f"{WHOLE}, y", WRONG, "kind"),
    Hostile("faster-by-setting", BREAKS, f"torch.backends.cudnn.benchmark = True\n{WHOLE}", WRONG, "cudnn.benchmark"),
    Hostile("draws-no-more", f"torch.rand(2)\n{BREAKS}", WHOLE, WRONG, "drawn"),
    Hostile(
        "private-count-not-updated",
        f'self._n = getattr(self, "_n", 0) + 1\n{BREAKS}',
        WHOLE,
        WRONG,
        "_n",
    ),
    Hostile(
        "queue-not-updated",
        f'if not hasattr(self, "queue"):\n    self.queue = __import__("collections").deque(maxlen=3)\n'
        f"self.queue.append(1)\n{BREAKS}",
        WHOLE,
        WRONG,
        "queue",
    ),
    Hostile(
        "meter-not-updated",
        f'if not hasattr(self, "meter"):\n    self.meter = __import__("types").SimpleNamespace(n=0)\n'
        f"self.meter.n += 1\n{BREAKS}",
        f'if not hasattr(self, "meter"):\n    self.meter = __import__("types").SimpleNamespace(n=0)\n{WHOLE}',
        WRONG,
        "meter.n is 0",
    ),
    Hostile(
        "class-not-updated",
        f'type(self).told = 1 + getattr(self, "told", 0)\n{BREAKS}',
        f"type(self).told = 0\n{WHOLE}",
        WRONG,
        "Model.told",
    ),
    # What a module keeps decides what it gives: right, as long as both sides are called equally often.
    Hostile(
        "state-decides",
        f"self.seen += 1\nx = x * self.seen\n{BREAKS}",
        f"self.seen += 1\nx = x * self.seen\n{WHOLE}",
        PROVEN,
        "results are equal",
    ),
    # Results that say nothing, whatever they are compared with.
    Hostile(
        "nan-on-both-sides",
        'y = (x - x) / (x - x)\nprint("hidden")\nreturn y * self.scale',
        "return x * float('nan') * 2 * self.scale",
        ("inconclusive",),
        "NaN",
    ),
    Hostile(
        "always-the-same",
        'y = x * 0\nprint("hidden")\nreturn y',
        "return torch.zeros_like(x)",
        ("inconclusive",),
        "is the same",
    ),
    Hostile(
        "nothing-returned",
        'print("hidden")\ny = x * self.scale',
        "y = x * self.scale + 3",
        ("inconclusive",),
        "no tensor",
    ),
    Hostile(
        "told-later",
        'print("hidden")\ny = x * self.scale\nreturn y, (y + each for each in (1, 2))',
        "y = x * self.scale\nreturn y, (y + each for each in (3, 4))",
        ("inconclusive", *REMAINS),
        "",
    ),
    Hostile(
        "other-items",
        'print("hidden")\nreturn x * self.scale, __import__("collections").deque([2 * x])',
        'return x * self.scale, __import__("collections").deque([3 * x])',
        WRONG,
        "items[0] differs",
    ),
    # Code that reaches for what it is measured with.
    Hostile("lenient-comparison", BREAKS, "return x * self.scale + 1.5", WRONG, "differs in 8 of 8", prelude=LENIENT),
    Hostile("forged-records", BREAKS, "return x * self.scale + 2", ("inconclusive", *WRONG), "", prelude=FORGED),
    Hostile("slow-clock", BREAKS, WHOLE, ("inconclusive",), "perf_counter", prelude=CLOCK),
    Hostile("own-stopwatch", BREAKS, WHOLE, ("inconclusive",), "Stopwatch.sample", prelude=CLOCK_CODE),
    Hostile("lenient-compiler", BREAKS, BREAKS, (*REMAINS, "inconclusive"), "", prelude=UNCLEAN),
    # What is right.
    Hostile(
        "print-guarded", BREAKS, BREAKS.replace("print", "if not torch.compiler.is_compiling():\n    print"), PROVEN, ""
    ),
    Hostile("print-swallowed", BREAKS, WHOLE, PROVEN, ""),
)

BENCHMARK_ONLY = frozenset(
    """
    wrong-values lost-gradient other-dtype buffer-not-updated view-for-a-copy raises-once-rewritten
    random-once-rewritten
    break-moved break-in-a-call break-in-a-try trailing-break disabled
    segmentation-fault abort sys-exit out-of-memory fork raises-once-compiled device-assert
    fails-by-itself slower kept-by-identity computed-ahead subclass private-count-not-updated own-stopwatch
    """.split()
)
"""Models that `benchmarks/verify/hostile.py` alone runs, so that the tests end in minutes."""
