"""What other files of the project store, replace and bind: what an attribute or a name holds is no proof then."""

from __future__ import annotations

from pathlib import Path

import pytest

from breaklint.lint.engine import Engine
from breaklint.model import Settings

BASE = """\
import torch


class Base(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.limit = 3
{}
"""
NET = """\
import numpy as np
import torch
from base import Base


class Net(Base):
    def forward(self, x: torch.Tensor):
        return x * int(np.prod([self.limit]))
"""
CONSTANT = """\
import numpy as np
import torch
from base import SIZE


class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        return x * int(np.prod([SIZE]))
"""


def fixed(folder: Path, **files: str) -> dict[str, int]:
    """The safe fixes of net.py, by their rule."""
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    return dict(Engine(Settings()).fix(str(folder / "net.py"), files["net"], False).fixed)


IN_BASE = {
    "in the dictionary": "        self.__dict__['limit'] = -1",
    "by a helper": "        widen(self)\n\n\ndef widen(module):\n    module.limit = -1",
    "under a name that is computed": "        for n in dir(self):\n            setattr(self, n, -1)",
    "in its call": "\n    def __call__(self, x):\n        vars(self)['limit'] = -1\n        return super().__call__(x)",
    "by its setter": "\n    def __setattr__(self, name, value):\n        super().__setattr__(name, -1)",
    "by what looks attributes up": "\n    def __getattribute__(self, name):\n        return -1",
    "in its subclasses": """
    def __init_subclass__(cls):
        made = cls.__init__
        def init(self):
            made(self)
            self.limit = -1
        cls.__init__ = init""",
    "in the class": "\n\nBase.limit = property(lambda self: -1, lambda self, value: None)",
    "by a metaclass": """

class Meta(type):
    def __call__(cls, *given):
        made = super().__call__(*given)
        made.limit = -1
        return made
class Base(Base, metaclass=Meta):
    pass""",
    "by a decorator": """

def register(cls):
    cls.limit = property(lambda self: -1)
    return cls
Base = register(Base)""",
}


@pytest.mark.parametrize("form", IN_BASE)
def test_an_attribute_that_a_base_of_another_file_stores_otherwise_is_no_proof(tmp_path: Path, form: str) -> None:
    assert fixed(tmp_path, base=BASE.format(""), net=NET)
    assert not fixed(tmp_path, base=BASE.format(IN_BASE[form]), net=NET)


def test_a_base_of_a_base_counts_too(tmp_path: Path) -> None:
    base = "from root import Root\n\n\nclass Base(Root):\n    pass\n"
    root = BASE.replace("Base", "Root")
    assert fixed(tmp_path, root=root.format(""), base=base, net=NET)
    assert not fixed(tmp_path, root=root.format("        self.__dict__['limit'] = -1"), base=base, net=NET)


@pytest.mark.parametrize("maker", ["@change\nclass Net(Base", "class Net(Base, metaclass=Change"])
def test_what_makes_a_class_in_another_file_counts_too(tmp_path: Path, maker: str) -> None:
    text = NET.replace("class Net(Base", maker).replace("from base", "from makers import Change, change\nfrom base")
    change = "def change(cls):\n    {}\n    return cls\nclass Change(type):\n    pass\n"
    assert fixed(tmp_path, base=BASE.format(""), makers=change.format("print(cls)"), net=text)
    assert not fixed(tmp_path, base=BASE.format(""), makers=change.format("cls.limit = -1"), net=text)


REBINDING = {
    "by a function": "def late():\n    global SIZE\n    SIZE = -1\nlate()",
    "under a condition": "import os\nif os.sep:\n    SIZE = -1",
    "in its namespace": "globals()['SIZE'] = -1",
    "as text": "exec('SIZE = -1')",
    "by a loop": "for SIZE in [-1]:\n    pass",
}


@pytest.mark.parametrize("form", REBINDING)
def test_a_constant_that_its_file_binds_again_is_no_proof(tmp_path: Path, form: str) -> None:
    assert fixed(tmp_path, base="SIZE = 3\n", net=CONSTANT)
    assert not fixed(tmp_path, base=f"SIZE = 3\n{REBINDING[form]}\n", net=CONSTANT)
    between = "from base import SIZE\n"
    text = CONSTANT.replace("from base", "from between import SIZE as N\nfrom base").replace("[SIZE", "[N")
    assert not fixed(tmp_path, base=f"SIZE = 3\n{REBINDING[form]}\n", between=between, net=text)


def test_a_constant_of_another_file_that_this_one_replaces_is_no_proof(tmp_path: Path) -> None:
    text = CONSTANT.replace("from base import SIZE", "import base").replace("[SIZE", "[base.SIZE")
    assert fixed(tmp_path, base="SIZE = 3\n", net=text)
    assert not fixed(tmp_path, base="SIZE = 3\n", net=text.replace("import base\n", "import base\nbase.SIZE = -1\n"))


def test_a_helper_that_reads_such_a_constant_gives_no_proof(tmp_path: Path) -> None:
    helper = "SIZE = 3\n\n\ndef size():\n    return SIZE\n"
    text = CONSTANT.replace("import SIZE", "import size").replace("[SIZE", "[size()")
    assert fixed(tmp_path, base=helper, net=text)
    for form in REBINDING.values():
        assert not fixed(tmp_path, base=f"{helper}\n\n{form}\n", net=text)


BRINGING = {
    "a value": "torch = math = None\n",
    "a function": "def torch():\n    pass\ndef math():\n    pass\n",
    "a class": "class torch:\n    pass\nclass math:\n    pass\n",
    "a loop": "for torch in range(2):\n    math = torch\n",
    "another library": "import json as torch, json as math\n",
    "what stands in for a library": "try:\n    import absent as torch\nexcept ImportError:\n    torch = math = None\n",
    "a global name of a function": "def f():\n    global torch, math\n    torch = math = 5\nf()\n",
    "a pattern": "match 3:\n    case torch:\n        math = torch\n",
    "another `*`": "from deep import *\n",
    "a file that is asked for any name": "__all__ = ['torch', 'math']\ndef __getattr__(name):\n    return 5\n",
}
STARRED = """\
from torch import nn
import numpy as np
from helper import *


class Net(nn.Module):
    def forward(self, x):
        print(x.shape)
        return x * int(np.prod([2, 3]))
"""


@pytest.mark.parametrize("form", BRINGING)
def test_a_library_is_not_imported_above_a_star_that_brings_its_name(tmp_path: Path, form: str) -> None:
    assert fixed(tmp_path, deep="size = 3\n", helper="import torch, math\nlimit = 3\n", net=STARRED)
    assert not fixed(tmp_path, deep="torch = math = 5\n", helper=BRINGING[form], net=STARRED)
