"""What other files of a run store: a guard rests on its own test alone, whatever the guarded code means there."""

from __future__ import annotations

from pathlib import Path

import pytest

from breaklint.lint.run import run
from breaklint.lint.workers import Mode
from breaklint.model import Settings

NET = """import torch


class Net(torch.nn.Module):
    def forward(self, x):
        self.seen.append(x.mean())
        print(any(x.shape), self.scale, self.seen)
        return x * self.scale
"""
HARMLESS = [
    "def f(net):\n    net.scale = 2\n    net.seen = None\n",
    "import builtins\nbuiltins.any = builtins.all\nbuiltins.print = len\n",
    "import torch\ntorch.Tensor.mean = torch.Tensor.sum\n",
    "def f(net, **kwargs):\n    for k, v in kwargs.items():\n        setattr(net, k, v)\nf(1, append=2)\n",
    "class Own(Net):\n    append = scale = seen = property(len)\n    def __getattr__(self, name):\n        return 1\n",
    "def f(module):\n    module.register_forward_hook(print)\n",
]
HARMFUL = [
    "import torch\ntorch.compiler.is_compiling = lambda: True\n",
    "import torch\ntorch.compiler = None\n",
    "import net\nnet.torch = None\n",
    "from unittest import mock\nmock.patch('torch.compiler.is_compiling')\n",
]


def applicability(folder: Path, other: str) -> str:
    (folder / "net.py").write_text(NET)
    (folder / "other.py").write_text(f"from net import Net\n{other}")
    (found,) = [each for each in run([str(folder)], Settings(), Mode(), jobs=1).findings if each.code == "BRK101"]
    assert found.fix is not None
    return found.fix.applicability.value


@pytest.mark.parametrize("other", HARMLESS)
def test_what_changes_the_guarded_code_does_not_concern_the_guard(tmp_path: Path, other: str) -> None:
    assert applicability(tmp_path, other) == "safe"


@pytest.mark.parametrize("other", HARMFUL)
def test_what_changes_the_guard_does(tmp_path: Path, other: str) -> None:
    assert applicability(tmp_path, other) == "unsafe"
