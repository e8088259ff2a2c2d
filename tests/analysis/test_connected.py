"""What files that imports connect store in a file that one of them passes on, and what they see of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from breaklint.lint.run import run
from breaklint.lint.workers import Mode
from breaklint.model import Settings

NET = """\
import torch
import numpy as np

SCALE = 2.0


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = torch.nn.Linear(1, 1)

    def forward(self, x: torch.Tensor):
        {}
        return x
"""
BODIES = {
    "a name that the fix writes": "print(x.shape)",
    "a name that the code reads": "h = self.lin(x.float().reshape(-1, 1))\n        if h.mean() > 0:\n"
    "            x = h * SCALE\n        else:\n            x = h * 3.0\n        x = x * 1.0",
}
FILL = "def fill(o, **kw):\n    for k, v in kw.items():\n        setattr(o, k, v)\n"
PATCH = (
    "class Patch:\n    def __init__(self, o, **kw):\n        for k, v in kw.items():\n            setattr(o, k, v)\n"
)
THROUGH = f"{FILL}def through(o, **kw):\n    fill(o, **kw)\n"
FILLING = {
    "keywords": ("import util, net\nutil.fill(net, N=None)\n", FILL),
    "names as texts": ("import util, net\nutil.put(net, 'N', None)\n", "def put(o, k, v):\n    setattr(o, k, v)\n"),
    "its dictionary": ("import util, net\nutil.fill(net, N=None)\n", "def fill(o, **kw):\n    vars(o).update(kw)\n"),
    "a helper of the file": (f"import net\n{FILL}fill(net, N=None)\n", ""),
    "two helpers": ("import util, net\nutil.through(net, N=None)\n", THROUGH),
    "a part of setattr": ("import net\nfrom functools import partial\npartial(setattr, net)('N', None)\n", ""),
    "a method by its name": ("import net, operator\noperator.methodcaller('__setattr__', 'N', None)(net)\n", ""),
    "an object that keeps it": ("import util, net\nutil.Patch(net, N=None)\n", PATCH),
    "the file as it is looked up": ("import sys, util, net\nutil.fill(sys.modules['net'], N=None)\n", FILL),
    "the file by its name": ("import importlib as i, util\nutil.fill(i.import_module('net'), N=None)\n", FILL),
}  # fmt: skip
APART = {
    "another file": ("import util, net, other\nutil.fill(other, N=None)\n", FILL),
    "a class of it": ("import net\nprint(vars(net.Net), net.Net.__dict__)\n", FILL),
    "what is read of it": ("import util, net\nprint(hasattr(net, 'a'), getattr(net, 'SCALE'))\n", FILL),
    "a copy of a function": (
        "import types, net\nf = net.Net.forward\ntypes.FunctionType(f.__code__, f.__globals__, 'forward')\n",
        FILL,
    ),
}


def fixed(folder: Path, **files: str) -> int:
    """How many safe fixes there are in files that are given together."""
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    return sum(count for _, count in run([str(folder)], Settings(), Mode(fix=True), jobs=1).fixed)


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("way", FILLING)
def test_a_file_that_is_passed_to_code_that_stores_under_any_name_may_be_filled(
    tmp_path: Path, body: str, way: str
) -> None:
    main, util = FILLING[way]
    name = "torch" if body == "a name that the fix writes" else "SCALE"
    main = main.replace("N=", f"{name}=").replace("'N'", f"'{name}'")
    assert fixed(tmp_path, net=NET.format(BODIES[body]), main=main, util=util) == 0


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("way", APART)
def test_what_is_not_passed_is_not_filled(tmp_path: Path, body: str, way: str) -> None:
    main, util = APART[way]
    assert fixed(tmp_path, net=NET.format(BODIES[body]), main=main, util=util, other="N = 1\n") == 1


PRODUCT = NET.format("x = x * int(np.prod(x.shape))")
NOTICING = {
    "an import of it": "try:\n    from net import math\nexcept ImportError:\n    math = None\n",
    "a star": "math = 3\nfrom net import *\n",
    "a star through a file": "math = 3\nfrom util import *\n",
    "a question": "import net\nhas = hasattr(net, 'math')\n",
    "questions in a row": "import net\nhas = [hasattr(net, name) for name in ('math', 'os')]\n",
    "an attribute": "import net\ntry:\n    net.math\nexcept AttributeError:\n    pass\n",
    "a list of its names": "import net\nnames = dir(net)\n",
    "its dictionary": "import net\nnames = [*net.__dict__]\n",
    "a function that gets it": "import net, inspect\nnames = inspect.getmembers(net)\n",
    "the file as it is looked up": "import sys, net\nnames = len(sys.modules['net'].__dict__)\n",
    "the file as it is loaded": "import importlib\nnet = importlib.import_module('net')\nnames = vars(net)\n",
    "a store": "import net\nnet.math = 3\n",
}
NOT_NOTICING = {
    "an import": "import net\nfrom net import Net\n",
    "its own import": "import math\nfrom net import *\nprint(math.pi)\n",
    "a star without the word": "from net import *\nnet = Net()\n",
    "a name of the file as it is looked up": "import sys, net\nmade = sys.modules['net'].Net()\n",
    "an attribute of a library": "import net, torch\nprint(torch.math)\n",
}


@pytest.mark.parametrize("way", NOTICING)
def test_a_name_that_a_fix_imports_is_not_safe_where_a_file_may_notice_it(tmp_path: Path, way: str) -> None:
    assert fixed(tmp_path, net=PRODUCT, main=NOTICING[way], util="from net import *\n") == 0


@pytest.mark.parametrize("way", NOT_NOTICING)
def test_a_name_that_a_fix_imports_is_safe_where_no_file_notices_it(tmp_path: Path, way: str) -> None:
    assert fixed(tmp_path, net=PRODUCT, main=NOT_NOTICING[way]) == 1


FUNCTION = """\
import torch


class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        ctx.save_for_backward(a)
        return a * 2

    @staticmethod
    def backward(ctx, g):
        (a,) = ctx.saved_variables
        return g * a


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = torch.nn.Linear(1, 1)

    def forward(self, x: torch.Tensor):
        return Twice.apply(self.lin(x))
"""
WARNED = {
    "an error": "import warnings\nwarnings.simplefilter('error')\n",
    "an error, under another name": "from warnings import simplefilter as f\nf('error')\n",
    "a list of them": "import warnings\nwith warnings.catch_warnings(record=True) as found:\n    pass\n",
    "the filters": "import warnings as w\nw.filters.insert(0, ('error', None, Warning, None, 0))\n",
    "a context of its own": "import net\nnet.Twice.backward(CONTEXT, 2)\n",
}


@pytest.mark.parametrize("way", WARNED)
def test_a_warning_goes_where_no_file_sees_it(tmp_path: Path, way: str) -> None:
    quiet = "import warnings, net\nwarnings.filterwarnings('ignore')\nloss = net.Net()\nloss.backward()\n"
    assert fixed(tmp_path, net=FUNCTION, main=quiet) == 1
    (tmp_path / "net.py").unlink()
    assert fixed(tmp_path, net=FUNCTION, main=f"import net\n{WARNED[way]}") == 0
