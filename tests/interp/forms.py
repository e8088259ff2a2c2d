"""Programs in which the code of one expression is reached in every form that Python has for it.

`EXPR` stands for the expression on the marked line.
"""

from __future__ import annotations

from textwrap import indent
from typing import Final

FORMS: dict[str, str] = {}
HEAD: Final = """import collections
import contextlib
import copy
import dataclasses
import enum
import functools
import io
import logging
import time
import typing

import torch
from torch import any as some, nn, nonzero as find
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

log = logging.getLogger(__name__)


"""
HELPER: Final = """def helper(x):
    got = EXPR  # here
    return x + 1


"""


def form(name: str, body: str, init: str = "pass", before: str = "", extra: str = "") -> None:
    """A module with these statements in its forward and constructor, this code before it and these methods."""
    FORMS[name] = f"""{HEAD}{before}class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(8, 8)
{indent(init, " " * 8)}

{extra}
    def forward(self, x):
        x = x * 2
{indent(body, " " * 8)}
        return x + 1
"""


METHOD: Final = """    def work(self, x):
        got = EXPR  # here
        return x + 1
"""
CHILD: Final = """class Child(nn.Module):
    def forward(self, x):
        got = EXPR  # here
        return x + 1


"""
PLAIN: Final = """class Plain:
    def __call__(self, x):
        got = EXPR  # here
        return x + 1


"""
DECO: Final = """def deco(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        return fn(*args, **kwargs)
    return wrapper


"""


# Statements and expressions, and ways to a tensor.
form("direct", "got = EXPR  # here")
form("annotated", "got: object = EXPR  # here")
form("augmented", "got = []\ngot += [EXPR]  # here")
form("walrus", "if (got := EXPR) is not None:  # here\n    x = x + 1")
form("listcomp", "got = [EXPR for _ in range(2)]  # here")
form("genexp", "got = tuple(EXPR for _ in range(2))  # here")
form("fn_getattr", "x = getattr(self, 'work')(x)", extra=METHOD)
form("dict_item", "d = {'a': x}\nx = d['a']\ngot = EXPR  # here")
form("zip_unpack", "for i, (x, y) in enumerate(zip([x, x], [x, x])):\n    got = EXPR  # here")
form("list_append", "l = []\nl.append(x)\nx = l[-1]\ngot = EXPR  # here")
form("split_unpack", "x, y = x.chunk(2, dim=-1)\ngot = EXPR  # here")
form("autocast_with", "with torch.autocast('cpu'):\n    got = EXPR  # here")
form("try", "try:\n    got = EXPR  # here\nexcept ValueError:\n    pass")
form("while", "n = 0\nwhile n < 2:\n    n += 1\n    got = EXPR  # here")
form("match", "match 'a':\n    case 'a':\n        got = EXPR  # here")
form("return_expr", "return x, EXPR  # here")
form("global_tensor", "x = TABLE * x\ngot = EXPR  # here", before="TABLE = torch.ones(8)\n\n\n")
form("buffer", "x = self.b\ngot = EXPR  # here", "self.register_buffer('b', torch.ones(4, 8))")
form("parameter", "x = self.p\ngot = EXPR  # here", "self.p = nn.Parameter(torch.ones(4, 8))")
form("attr_chain", "x = self.lin.weight\ngot = EXPR  # here")
form("sum_py", "x = sum([x, x])\ngot = EXPR  # here")
form("iter_rows", "for x in x.unsqueeze(0):\n    got = EXPR  # here")

# Functions and their calls.
form("nested", "def inner():\n    got = EXPR  # here\n    return x\nx = inner()")
form("lambda", "f = lambda x: (EXPR, x)  # here\nx = f(x)[1]")
form("helper", "x = helper(x)", before=HELPER)
form("helper_star", "x = helper(*(x,))", before=HELPER)
form("helper_kwstar", "x = helper(**{'x': x})", before=HELPER)
form("partial", "x = functools.partial(helper)(x)", before=HELPER)
form("default_fn", "x = other(x)", before=HELPER + "def other(x, f=helper):\n    return f(x)\n\n\n")
form("fn_arg", "x = other(helper, x)", before=HELPER + "def other(f, x):\n    return f(x)\n\n\n")
form("fn_attr", "x = self.f(x)", "self.f = helper", before=HELPER)
form("fn_dict", "x = TABLE['a'](x)", before=HELPER + "TABLE = {'a': helper}\n\n\n")
form("fn_list", "for f in STEPS:\n    x = f(x)", before=HELPER + "STEPS = [F.relu, helper]\n\n\n")
form("tuple_ret", "x, y = self.work(x)\ngot = EXPR  # here", extra="    def work(self, x):\n        return x, x\n")
form("map", "a = list(map(helper, [x, x]))\nx = a[0]", before=HELPER)
form("reduce", "x = functools.reduce(helper, [x, x])", before=HELPER.replace("def helper(x):", "def helper(x, y):"))
form("sorted_key", "a = sorted([1, 2], key=lambda k: (EXPR, k)[1])  # here")
form(
    "generator",
    "for y in gen(x):\n    x = x + y",
    before="""def gen(x):
    got = EXPR  # here
    yield x


""",
)
form(
    "contextmanager",
    "with scope(x):\n    x = x + 1",
    before="""@contextlib.contextmanager
def scope(x):
    got = EXPR  # here
    yield


""",
)
form(
    "closure_factory",
    "x = make()(x)",
    before="""def make():
    def inner(x):
        got = EXPR  # here
        return x + 1
    return inner


""",
)
form("wraps", "x = helper(x)", before=DECO + "@deco\n" + HELPER)
form("no_grad_deco", "x = self.work(x)", extra="    @torch.no_grad()\n" + METHOD)
form("checkpoint", "x = checkpoint(helper, x, use_reentrant=False)", before=HELPER)
form("call_kw", "x = other(x, y=EXPR)  # here", before="def other(x, y):\n    return x + 1\n\n\n")
form("call_default_eval", "x = other(x, EXPR)  # here", before="def other(x, *args):\n    return x + 1\n\n\n")
form("singledispatch", "x = helper(x)", before="@functools.singledispatch\n" + HELPER)
form(
    "recursion",
    "x = self.work(x, 2)",
    extra="""    def work(self, x, n):
        if n > 0:
            return self.work(x, n - 1)
        got = EXPR  # here
        return x + 1
""",
)
form("nonlocal", "def inner():\n    nonlocal x\n    x = x + 1\ninner()\ngot = EXPR  # here")

# Objects and their methods.
form("method", "x = self.work(x)", extra=METHOD)
form(
    "property",
    "x = self.work",
    extra="""    @property
    def work(self):
        x = self.lin.weight
        got = EXPR  # here
        return x + 1
""",
)
form("staticmethod", "x = self.work(x)", extra="    @staticmethod\n" + METHOD.replace("self, ", ""))
form("classmethod", "x = self.work(x)", extra="    @classmethod\n" + METHOD.replace("self", "cls"))
form("class_fn", "x = Net.work(self, x)", extra=METHOD)
form("bound_alias", "f = self.work\nx = f(x)", extra=METHOD)
form("class_attr_fn", "x = self.f(x)", before=HELPER, extra="    f = staticmethod(helper)\n")
form("class_attr_lambda", "x = self.f(x)[1]", extra="    f = lambda self, x: (EXPR, x)  # here\n")
form("dunder_call", "x = Plain()(x)", before=PLAIN)
form("wraps_method", "x = self.work(x)", before=DECO, extra="    @deco\n" + METHOD)
form("checkpoint_method", "x = checkpoint(self.work, x, use_reentrant=False)", extra=METHOD)
