"""Where tracing begins: what Dynamo compiles and what it inlines."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness import WriteFiles, findings, marked

MODULES = {
    "class of torch.nn": """
import torch
class Net(torch.nn.Module):
    def forward(self, x):
        print(x)  # BRK101
        return x
""",
    "torch.nn under another name": """
import torch.nn as tnn
class Net(tnn.Module):
    def forward(self, x):
        print(x)  # BRK101
        return x
""",
    "name of the base assigned": """
import torch
Base = torch.nn.Module
class Net(Base):
    def forward(self, x):
        print(x)  # BRK101
        return x
""",
    "base in the same file": """
import torch
class Middle(torch.nn.Module):
    pass
class Net(Middle):
    def forward(self, x):
        print(x)  # BRK101
        return x
""",
    "base among several": """
import torch
class Mixin:
    pass
class Net(Mixin, torch.nn.Module):
    def forward(self, x):
        print(x)  # BRK101
        return x
""",
    "subclass of a layer": """
import torch
class Net(torch.nn.Linear):
    def __init__(self):
        super().__init__(8, 8)
    def forward(self, x):
        print(x)  # BRK101
        return super().forward(x)
""",
    "class under a condition": """
import torch
if hasattr(torch, "compile"):
    class Net(torch.nn.Module):
        def forward(self, x):
            print(x)  # BRK101
            return x
""",
}

COMPILED = {
    "decorator with options": """
import torch
@torch.compile(dynamic=True, fullgraph=False)
def step(x):
    print(x)  # BRK101
    return x
""",
    "call": """
import torch
def step(x):
    print(x)  # BRK101
    return x
fast = torch.compile(step, mode="reduce-overhead")
""",
    "function that a compiled one calls": """
import torch
def inner(x):
    print(x)  # BRK101
    return x
@torch.compile
def step(x):
    return inner(x)
""",
    "helper that forward calls": """
import torch
def inner(x):
    if x.sum() > 0:  # BRK301
        return x * 2
    return x
class Net(torch.nn.Module):
    def forward(self, x):
        return inner(x)
""",
    "submodule that forward calls": """
import torch
class Block(torch.nn.Module):
    def forward(self, x):
        print(x)  # BRK101
        return x
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()
    def forward(self, x):
        return self.block(x)
""",
}

CASES = {**MODULES, **COMPILED}


@pytest.mark.parametrize("source", CASES.values(), ids=CASES)
def test_found_exactly_where_marked(source: str) -> None:
    assert findings(source) == marked(source)


DERIVED = "class Net(Base):\n    def forward(self, x):\n        print(x)  # BRK101\n        return x\n"
FILES = {
    "base of a package, imported relatively": (
        "from .layers.base import Base\n" + DERIVED,
        {
            "__init__.py": "",
            "layers/__init__.py": "",
            "layers/base.py": "from torch import nn\nclass Base(nn.Module):\n    pass\n",
        },
    ),
    "base exported by its package": (
        "from layers import Base\n" + DERIVED,
        {
            "layers/__init__.py": "from .base import Base\n",
            "layers/base.py": "from torch import nn\nclass Base(nn.Module):\n    pass\n",
        },
    ),
    "base by a star import": (
        "from base import *\n" + DERIVED,
        {"base.py": "import torch\nclass Base(torch.nn.Module):\n    pass\n"},
    ),
    "forward of the base calls a method of the class": (
        "from base import Base\n" + DERIVED.replace("forward", "body"),
        {
            "base.py": "from torch import nn\nclass Base(nn.Module):\n"
            "    def forward(self, x):\n        return self.body(x)\n"
        },
    ),
}


@pytest.mark.parametrize(("text", "others"), FILES.values(), ids=FILES)
def test_a_module_is_known_through_another_file(write_files: WriteFiles, text: str, others: dict[str, str]) -> None:
    folder: Path = write_files({"net.py": text, **others})
    assert findings(text, str(folder / "net.py")) == marked(text)


def test_a_module_that_a_method_defines_is_looked_at_once() -> None:
    source = """
import torch
class Maker:
    def make(self, scale):
        class Net(torch.nn.Module):
            def forward(self, x):
                return x * scale * x.sum().item()  # BRK201
        return Net()
class User(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.net = Maker().make(2)
    def forward(self, x):
        return self.net(x)
"""
    assert findings(source) == marked(source)
