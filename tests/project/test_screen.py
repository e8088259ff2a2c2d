"""Which files are looked at at all."""

from __future__ import annotations

import pytest
from harness import RunBreaklint, WriteFiles

from breaklint.project.screen import may_matter

BASE = """
import torch
class Base(torch.nn.Module):
    def forward(self, x):
        return self.gate(x)
"""
DERIVED = """
import torch
from base import Base
class Net(Base):
    def gate(self, x):
        return x * x.mean().item()
"""


def test_a_class_that_inherits_its_forward_from_another_file(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    folder = write_files({"base.py": BASE, "net.py": DERIVED})
    done = breaklint("check", "--isolated", "--output-format", "concise", str(folder))
    assert [line.split()[1] for line in done.stdout.splitlines() if "net.py:6" in line] == ["BRK201"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("import torch\ndef forward(x): ...", True, id="a forward"),
        pytest.param("import torch\nf = torch.compile(g)", True, id="something compiled"),
        pytest.param("import torch\nclass Net(Base):\n    pass", True, id="a class of a base that may be a module"),
        pytest.param("import torch\nclass Net(Generic[T], Base):\n    pass", True, id="one base of several"),
        pytest.param("import torch\nclass Loss(BaseLossFunction):\n    pass", True, id="a loss called a function"),
        pytest.param("import torch\nclass A(autograd.Function):\n    pass", False, id="a function of autograd"),
        pytest.param("import torch\nclass A(Function):\n    pass", False, id="a function of autograd by its own name"),
        pytest.param("import torch\nclass A(PretrainedConfig):\n    pass", False, id="a configuration"),
        pytest.param("import torch\nclass A:\n    pass", False, id="a class without a base"),
        pytest.param("class Net(Base):\n    pass", False, id="no torch"),
    ],
)
def test_files_that_may_matter(text: str, expected: bool) -> None:
    assert may_matter(text.encode()) is expected


def test_a_file_of_a_given_package_hides_no_library(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    text = "import math, torch\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return math.exp(x[0])"
    folder = write_files({"tools/__init__.py": "", "tools/math.py": "def exp(x):\n    return x\n", "net/net.py": text})
    done = breaklint("check", "--isolated", "--output-format", "concise", str(folder / "tools"), str(folder / "net"))
    assert "net.py:4" in done.stdout
