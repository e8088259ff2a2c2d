"""Which files are traced, and that all are parsed."""

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
from {module} import Base
class Net(Base):
    def gate(self, x):
        return x * x.mean().item()
"""
OF_A_FACTORY = """
from base import Base
def make():
    class Net(Base):
        def forward(self, x):
            return x * x.mean().item()
    return Net
"""
NO_MODEL = """
from web import Handler
class Login(Handler):
    def forward(self, request):
        print(request)
        return super().forward(request)
"""


def _codes(done: object, place: str) -> list[str]:
    return [line.split()[1] for line in done.stdout.splitlines() if place in line]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("files", "place"),
    [
        pytest.param({"net.py": DERIVED.format(module="base")}, "net.py:5", id="its base"),
        pytest.param(
            {"middle.py": "from base import *\n", "net.py": DERIVED.format(module="middle")},
            "net.py:5",
            id="re-exported",
        ),
        pytest.param({"net.py": OF_A_FACTORY}, "net.py:6", id="defined in a function"),
    ],
)
def test_a_file_without_torch_in_it_whose_class_derives_from_a_module(
    write_files: WriteFiles, breaklint: RunBreaklint, files: dict[str, str], place: str
) -> None:
    folder = write_files({"base.py": BASE, **files})
    done = breaklint("check", "--isolated", "--output-format", "concise", str(folder))
    assert _codes(done, place) == ["BRK201"]


def test_a_forward_in_a_project_without_torch_is_no_model(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    done = breaklint("check", "--isolated", str(write_files({"login.py": NO_MODEL})))
    assert (done.returncode, done.stdout) == (0, "No findings in 1 file; torch 2.15 is assumed (--target-torch).\n")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("import torch\nf = torch.compile(g)", True, id="something compiled"),
        pytest.param("class Net(Base):\n    pass", True, id="a class of a base that may be a module"),
        pytest.param("class Net[T](Base):\n    pass", True, id="a generic class"),
        pytest.param("if x:\n    class Net(Base):\n        pass", True, id="a class under a condition"),
        pytest.param("import torch\nclass A:\n    def forward(self): ...", False, id="a class without a base"),
        pytest.param("import re\nf = re.compile(g)", False, id="a regular expression"),
    ],
)
def test_files_that_may_matter(text: str, expected: bool) -> None:
    assert may_matter(text) is expected


@pytest.mark.parametrize("text", ["def f(:\n    pass\n", "import torch\ndef f(:\n    pass\n"])
def test_every_given_file_has_to_be_python(write_files: WriteFiles, breaklint: RunBreaklint, text: str) -> None:
    folder = write_files({"wrong.py": text, "right.py": "x = 1\n"})
    done = breaklint("check", "--isolated", str(folder))
    assert done.returncode == 2
    assert done.stderr.count("wrong.py") == 1
    assert f"wrong.py:{text.count(chr(10)) - 1}:7: not valid Python: invalid syntax" in done.stderr


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param("def helper(x):\n    return x\n\n)\n", id="beside its definitions"),
        pytest.param("def helper(x):\n    return (x\n\ndef other(x):\n    return x\n", id="in a definition"),
    ],
)
def test_a_followed_file_that_is_no_python_is_noted(
    write_files: WriteFiles, breaklint: RunBreaklint, broken: str
) -> None:
    net = "import torch\nfrom helpers import helper\nclass Net(torch.nn.Module):\n    def forward(self, x):\n"
    folder = write_files({"helpers.py": broken, "net.py": f"{net}        return helper(x)\n"})
    alone = breaklint("check", "--isolated", str(folder / "net.py"))
    assert alone.returncode == 0
    assert "helpers.py" in alone.stderr
    assert "breaklint cannot infer values that other files import from it" in alone.stderr
    both = breaklint("check", "--isolated", str(folder))
    assert (both.returncode, both.stderr.count("helpers.py")) == (2, 1)


def test_a_file_of_a_given_package_hides_no_library(write_files: WriteFiles, breaklint: RunBreaklint) -> None:
    text = "import math, torch\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return math.exp(x[0])"
    folder = write_files({"tools/__init__.py": "", "tools/math.py": "def exp(x):\n    return x\n", "net/net.py": text})
    done = breaklint("check", "--isolated", "--output-format", "concise", str(folder / "tools"), str(folder / "net"))
    assert "net.py:4" in done.stdout
