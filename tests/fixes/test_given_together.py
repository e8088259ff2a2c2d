"""What another given file does to a file, its classes, their objects or a library: no proof holds of it then."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from breaklint.lint.run import run
from breaklint.lint.workers import Mode
from breaklint.model import Settings

BASE = """\
import torch
import numpy as np

SIZE = 3


def helper(x: torch.Tensor):
    return x.shape[0]


class Base(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.limit = 3

    def size(self):
        return 2

    def forward(self, x: torch.Tensor):
        return x * int(np.prod(x.shape)), [helper(x), self.limit, self.size(), SIZE]
"""
CHANGING = {
    "a library's name": "import base\nbase.np = None\n",
    "a name, in a function": "def main():\n    import base\n    base.np = None\n",
    "a function": "import base as b\nb.helper = lambda x: -1\n",
    "by setattr": "import base\nsetattr(base, 'helper', 1)\n",
    "under names that are computed": "import base\nfor n in dir(base):\n    setattr(base, n, 1)\n",
    "in the dictionary": "import base\nbase.__dict__['SIZE'] = -1\n",
    "in the dictionary by vars": "import base\nvars(base).update(SIZE=-1)\n",
    "a method in a subclass": "import base\nclass C(base.Base):\n    def size(self):\n        return -1\n",
    "a method in a subclass, by another name": "from base import Base as A\nclass C(A):\n    def size(self): pass\n",
    "an attribute in a subclass": "import base\nclass C(base.Base):\n    def open(self):\n        self.limit = -1\n",
    "an attribute of an object": "from base import Base\nb = Base()\nb.limit = -1\n",
    "a method": "from base import Base\nBase.size = lambda self: -1\n",
    "a method of a library": "import base, torch\ntorch.Tensor.size = torch.Tensor.shape = None\n",
    "a function of a library": "import base, numpy as np\nnp.prod = sum\n",
    "a patch": "from unittest import mock\nimport base\nwith mock.patch('base.helper'):\n    pass\n",
    "a patch of an object": "from unittest import mock\nimport base\nmock.patch.object(base, 'helper').start()\n",
    "in sys.modules": "import sys\nimport base\nsys.modules['base'].SIZE = -1\n",
    "the code of a function": "import base\nbase.helper.__code__ = (lambda x: -1).__code__\n",
    "among other targets": "import base\na, base.SIZE = 1, 2\n",
    "among targets in rows": "import base\n(\n    a,\n    base.SIZE,\n) = 1, 2\n",
    "by a loop": "import base\nfor base.SIZE in [-1]:\n    pass\n",
    "by a context": "import base\nwith open('x') as base.SIZE:\n    pass\n",
    "by `del`": "import base\ndel base.SIZE\n",
    "by an operator": "import base\nbase.SIZE += 1\n",
    "with a type": "import base\nbase.SIZE: int = -1\n",
    "after a star import": "from base import *\nBase.size = 3\n",
    "of a module that is looked up": "import importlib\nb = importlib.import_module('base')\nb.SIZE = -1\n",
    "a hook": "from base import Base\nBase.__getattribute__ = print\n",
}


def fixed(folder: Path, **files: str) -> int:
    """How many safe fixes there are in files that are given together."""
    for name, text in files.items():
        path = folder / f"{name.replace('__', '/', 1)}.py" if name.startswith("pkg__") else folder / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return sum(count for _, count in run([str(folder)], Settings(), Mode(fix=True), jobs=1).fixed)


def test_a_file_alone_is_fixed(tmp_path: Path) -> None:
    assert fixed(tmp_path, base=BASE) == 1


@pytest.mark.parametrize("form", CHANGING)
def test_what_another_given_file_changes_is_no_proof(tmp_path: Path, form: str) -> None:
    assert fixed(tmp_path, base=BASE, other=CHANGING[form]) == 0
    (tmp_path / "other.py").write_text(f"def inside():\n    return {CHANGING[form]!r}\n", encoding="utf-8")
    assert fixed(tmp_path, base=BASE) == 1


def test_what_has_nothing_to_do_with_a_file_takes_no_proof_away(tmp_path: Path) -> None:
    apart = "class Base:\n    def size(self):\n        return 1\nb = Base()\nb.limit = b.np = 3\n"
    user = (
        "import base\nclass C(base.Base):\n    def more(self):\n        return base.SIZE == 3\nc = C()\nc.other = 3\n"
    )
    assert fixed(tmp_path, base=BASE, apart=apart, user=user) == 1


def test_what_a_line_of_imports_connects_counts(tmp_path: Path) -> None:
    below = "from middle import C\nclass D(C):\n    def size(self):\n        return -1\n"
    assert fixed(tmp_path, base=BASE, middle="from base import Base\nclass C(Base):\n    pass\n", low=below) == 0


def test_a_helper_that_is_handed_the_object_counts(tmp_path: Path) -> None:
    helper = "def widen(module):\n    module.limit = -1\n"
    assert fixed(tmp_path, base=BASE, helper=helper, main="import base, helper\nhelper.widen(base.Base())\n") == 0


def test_a_package_that_hands_the_class_on_counts(tmp_path: Path) -> None:
    below = "from pkg import Base\nclass D(Base):\n    def size(self):\n        return -1\n"
    assert fixed(tmp_path, pkg____init__="from .base import Base\n", pkg__base=BASE, main=below) == 0


def test_a_class_beside_may_come_between(tmp_path: Path) -> None:
    text = BASE.replace("self.size()", "super().extra_repr()")
    mixed = "import base, torch\nclass M(torch.nn.Module):\n    def extra_repr(self):\n        return ''\n"
    assert fixed(tmp_path, base=text) == 1
    (tmp_path / "base.py").write_text(text, encoding="utf-8")
    assert fixed(tmp_path, other=f"{mixed}class C(base.Base, M):\n    pass\n") == 0


def test_a_kept_result_knows_what_other_files_do(tmp_path: Path) -> None:
    (tmp_path / "base.py").write_text(BASE, encoding="utf-8")
    other, cache, old = tmp_path / "other.py", tmp_path / "cache", 1_000_000_000

    def safe(text: str) -> bool:
        other.write_text(text, encoding="utf-8")
        for path in tmp_path.glob("*.py"):  # long ago, so that results are kept
            os.utime(path, ns=(old, old))
        found = run([str(tmp_path)], Settings(), jobs=1, cache=cache).findings
        return [each.fix.applicability.value for each in found if each.fix] == ["safe"]

    assert safe("import base\n")
    assert safe("import base\n")
    assert not safe("import base\nbase.np = None\n")
    assert safe("import base\n")
