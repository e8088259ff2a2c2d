"""What another given file does to a file, its classes, their objects or a library: no proof holds of it then."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from breaklint.lint.open_questions import OpenQuestion, settle_fixes
from breaklint.lint.run import run
from breaklint.lint.workers import Mode
from breaklint.model import Applicability, Effect, Finding, Fix, Settings, Severity, Span

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
RETURNED = "return x * int(np.prod(x.shape))"
BRANCHED = "if x.mean() > int(np.prod([1])):\n            x = x * 2\n        return x"
BRANCH = BASE.replace(RETURNED, BRANCHED)
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
    "of a builtin": "import base, builtins\nbuiltins.int = lambda given: -1\n",
    "of a builtin, without an import of the file": "import builtins\nbuiltins.int = lambda given: -1\n",
    "of a library, without an import of the file": "import numpy\nnumpy.prod = lambda given: -1\n",
    "in the names of a function": "from base import helper\nhelper.__globals__['SIZE'] = -1\n",
    "an attribute under a name that is computed": "from base import Base\nb = Base()\nsetattr(b, 'li' + 'mit', -1)\n",
    "an attribute by its name": "from base import Base\nb = Base()\nsetattr(b, 'limit', -1)\n",
    "in the dictionary of what is looked up": "import sys\nimport base\nsys.modules['base'].__dict__['SIZE'] = -1\n",
    "through a list": "import base\nfiles = [base]\nfiles[0].SIZE = -1\n",
    "through a parameter": "import base\ndef swap(file):\n    file.np = None\nswap(base)\n",
    "a hook": "from base import Base\nBase.__getattribute__ = print\n",
    "the class of an object": "from base import Base\nb = Base()\nb.limit.__class__ = bool\n",
    "by a text that is run": "from base import Base\nb = Base()\nexec('b.limit = -1')\n",
    "in the dictionary of an object": "from base import Base\nd = Base().__dict__\nd['limit'] = -1\n",
    "in what vars gives": "from base import Base\n(d := vars(Base()))['limit'] = -1\n",
    "in what is asked for by its name": "from base import Base\nd = getattr(Base(), '__dict__')\nd['limit'] = -1\n",
    "in what lists all attributes": "import inspect\nfrom base import Base\n"
    "dict(inspect.getmembers(Base()))['__dict__']['limit'] = -1\n",
    "by a parser": "import argparse\nfrom base import Base\nargparse.ArgumentParser().parse_args([], Base())\n",
    "by a parser, by keyword": "import base\ndef f(parser):\n    parser.parse_known_args(namespace=base.Base())\n",
    "all that another object has": "import functools\nfrom base import Base\nfunctools.update_wrapper(Base(), print)\n",
}


CONTENTS = """\
import torch
import numpy as np

CFG = {"scale": 1}
SCALES = [1]


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.sizes = [1, 2]

    def forward(self, x: torch.Tensor):
        return x * int(np.prod(x.shape)), CFG["scale"], SCALES[0], self.sizes[0]
"""
CHANGING_CONTENTS = {
    "an entry": "from base import CFG\nCFG['scale'] = -1\n",
    "an entry, by another name": "from base import CFG as C\nC['scale'] = -1\n",
    "an entry of what a name is given": "import base\nc = base.CFG\nc['scale'] = -1\n",
    "an entry of what a function gives a name": "import base\ndef f():\n    c = base.CFG\n    c['scale'] = -1\n",
    "an entry of the module's": "import base\nbase.CFG['scale'] = -1\n",
    "an item": "from base import SCALES\nSCALES[0] = -1\n",
    "an item, in place": "from base import SCALES\nSCALES[0] -= 2\n",
    "all items": "from base import SCALES\nSCALES += [1]\n",
    "by a method": "from base import SCALES\nSCALES.clear()\n",
    "by a method whose result is used": "from base import SCALES\nlast = SCALES.pop()\n",
    "by `del`": "import base\ndel base.SCALES[0]\n",
    "in a function": "def main():\n    from base import CFG\n    CFG.update(scale=-1)\n",
    "after a star import": "from base import *\nCFG['scale'] = -1\n",
    "of an object": "from base import Net\nnet = Net()\nnet.sizes[0] = -1\n",
    "of an object, by a method": "from base import Net\nNet().sizes.append(-1)\n",
    "in a subclass": "from base import Net\nclass M(Net):\n    def more(self):\n        self.sizes.append(-1)\n",
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


MORE = "may be something else here, of which the result or the error may be another one"


def whys(folder: Path, **files: str) -> list[str]:
    """Why the fixes of branches are unsafe in files that are given together."""
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    found = [each.fix for each in run([str(folder)], Settings(), Mode(), jobs=1).findings if each.code == "BRK301"]
    assert all(fix is not None and fix.applicability is Applicability.UNSAFE for fix in found)
    return [fix.why for fix in found if fix is not None]


@pytest.mark.parametrize("form", CHANGING)
def test_an_unsafe_fix_names_what_another_given_file_changes(tmp_path: Path, form: str) -> None:
    (alone,) = whys(tmp_path, base=BRANCH)
    assert "may be something else here" not in alone
    (doubted,) = whys(tmp_path, other=CHANGING[form])
    assert doubted.startswith(f"{alone}; `")
    assert doubted.endswith(MORE)
    assert doubted.count("something else") == 1


def test_an_unsafe_fix_names_all_that_other_given_files_change(tmp_path: Path) -> None:
    (alone,) = whys(tmp_path, base=BRANCH)
    one, two = "import base\nbase.SIZE = -1\n", "from base import Base\nBase.size = lambda self: -1\n"
    assert whys(tmp_path, other=one + two) == [f"{alone}; `SIZE` and `size` {MORE}"]
    assert whys(tmp_path, other=one, another=two) == [f"{alone}; `SIZE` and `size` {MORE}"]
    meta = "import torch\nempty = torch.empty(1, device='meta')\nclass Own(torch.Tensor):\n    pass\n"
    (doubted,) = whys(tmp_path, other=f"import base\n{meta}", another=two)
    assert doubted.startswith(f"{alone}; `size` {MORE}; other files have ")
    assert "tensors of a class of its own" in doubted
    assert "tensors without data" in doubted


def test_an_unsafe_fix_counts_what_is_changed_where_that_is_much(tmp_path: Path) -> None:
    (alone,) = whys(tmp_path, base=BRANCH.replace("[helper(x)", "[helper(x), len(x), max(1, 2)"))
    (doubted,) = whys(tmp_path, other="import base\nfor n in dir(base):\n    setattr(base, n, 1)\n")
    assert re.fullmatch(rf"{re.escape(alone)}; (`\w+`, ){{4}}`\w+` and \d+ more {MORE}", doubted)


def test_what_two_traces_of_one_function_doubt_is_named_together() -> None:
    fix = Fix(Applicability.UNSAFE, "fix it", "why", ())
    finding = Finding(
        "base.py", Span((1, 0), (1, 1)), "BRK301", "b", "it breaks", Effect.BREAK, Severity.ERROR, "f", fix=fix
    )
    asked = (OpenQuestion(((finding, Applicability.UNSAFE),), None, doubts) for doubts in (("a", "b"), ("c", "a"), ()))
    (settled,) = settle_fixes([finding, finding], asked)
    assert settled.fix is not None
    assert settled.fix.why == f"why; `a`, `b` and `c` {MORE}"


def test_an_unsafe_fix_says_no_more_where_other_files_change_nothing(tmp_path: Path) -> None:
    user = (
        "import base\nclass C(base.Base):\n    def more(self):\n        return base.SIZE == 3\nc = C()\nc.other = 3\n"
    )
    assert whys(tmp_path, base=BRANCH) == whys(tmp_path, user=user)


@pytest.mark.parametrize("form", CHANGING_CONTENTS)
def test_a_list_or_dict_that_another_given_file_changes_is_no_proof(tmp_path: Path, form: str) -> None:
    assert fixed(tmp_path, base=CONTENTS, other=CHANGING_CONTENTS[form]) == 0
    (tmp_path / "other.py").write_text("from base import CFG, SCALES\nprint(CFG['scale'], len(SCALES))\n", "utf-8")
    assert fixed(tmp_path, base=CONTENTS) == 1


@pytest.mark.parametrize("form", CHANGING_CONTENTS)
def test_an_unsafe_fix_names_the_list_or_dict_that_another_given_file_changes(tmp_path: Path, form: str) -> None:
    (alone,) = whys(tmp_path, base=CONTENTS.replace("return", f"{BRANCHED[:-8]}return"))
    (doubted,) = whys(tmp_path, other=CHANGING_CONTENTS[form])
    assert doubted.startswith(f"{alone}; `")
    assert doubted.endswith(MORE)


def test_what_is_imported_from_no_file_is_not_followed_for_ever(tmp_path: Path) -> None:
    """Packages whose `*` imports name files that are not given: a name was looked up in the package again and again."""
    stars = "".join(f"from .missing{each} import *\n" for each in range(9))
    user = BASE.replace("import torch\n", "import torch\nfrom . import *\n")
    assert fixed(tmp_path, pkg____init__=stars, pkg__base=user) == 0


@pytest.mark.parametrize("fills", ["globals()['other'] = 1", "globals().update(vars(1))", "exec('other = 1')"])
def test_a_star_import_of_a_file_that_fills_its_names_is_no_proof(tmp_path: Path, fills: str) -> None:
    text = f"from names import *\n{BASE}"
    assert fixed(tmp_path, base=text, names="other = 1\n") == 1
    (tmp_path / "base.py").write_text(text, encoding="utf-8")
    assert fixed(tmp_path, names=f"{fills}\n") == 0


def test_a_module_that_is_looked_up_by_its_full_name_counts(tmp_path: Path) -> None:
    other = "import importlib\nimportlib.import_module('pkg.base').SIZE = -1\n"
    assert fixed(tmp_path, pkg____init__="", pkg__base=BASE, main=other) == 0


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


HEAD = "import torch\nimport copy\nimport numpy as np\nfrom torch.autograd import Variable\n\n\n@torch.compile\n"
WRITING = {  # code, the library in whose name another file stores, and the name there that the fix writes
    "a guard": ("def f(x: torch.Tensor):\n    print(x.shape)\n    return x * 2\n", "torch.compiler", "is_compiling"),
    "a method": ("def f(x: torch.Tensor):\n    return Variable(x * 2) + 1\n", "torch.Tensor", "detach"),
    "a function": ("def f(x: torch.Tensor):\n    return x * int(np.prod(x.shape))\n", "math", "prod"),
}


@pytest.mark.parametrize("store", ["{0}.{1} = None", "setattr({0}, '{1}', None)"], ids=["=", "setattr"])
@pytest.mark.parametrize(("code", "library", "name"), WRITING.values(), ids=WRITING)
def test_a_name_that_a_fix_writes_and_another_file_replaces_makes_it_unsafe(
    tmp_path: Path, code: str, library: str, name: str, store: str
) -> None:
    def applicabilities() -> set[str]:
        found = run([str(tmp_path)], Settings(target_torch="2.13"), Mode(edits=False), jobs=1).findings
        return {finding.fix.applicability.value for finding in found if finding.fix is not None}

    (tmp_path / "net.py").write_text(HEAD + code)
    assert applicabilities() == {"safe"}
    (tmp_path / "use.py").write_text(f"import math\nimport torch\nimport net\n\n{store.format(library, name)}\n")
    assert "safe" not in applicabilities()


@pytest.mark.parametrize("store", ["{0}.{1} = None", "setattr({0}, '{1}', None)"], ids=["=", "setattr"])
@pytest.mark.parametrize("name", ["where", "mul"])
def test_an_unsafe_fix_names_a_function_of_torch_that_another_file_replaces(
    tmp_path: Path, name: str, store: str
) -> None:
    text = BRANCH.replace("x * 2", "torch.mul(x, 2)")
    (alone,) = whys(tmp_path, base=text)
    assert whys(tmp_path, other=f"import torch, base\n{store.format('torch', name)}\n") == [f"{alone}; `{name}` {MORE}"]


PRINTING = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        print(x.shape)
        return x
"""
RENAMING = {
    "in the file as a module": "import base\nbase.torch = None\n",
    "by setattr": "import base\nsetattr(base, 'torch', None)\n",
    "in the names of a function": "from base import Net\nNet.forward.__globals__['torch'] = None\n",
    "through a list": "import base\nfiles = [base]\nfiles[0].torch = None\n",
    "in the dictionary of what is looked up": "import sys\nimport base\nvars(sys.modules['base'])['torch'] = None\n",
}


@pytest.mark.parametrize("way", RENAMING)
def test_a_name_that_a_fix_writes_is_not_trusted_where_another_file_stores_it(tmp_path: Path, way: str) -> None:
    assert fixed(tmp_path, base=PRINTING, other="import base\nbase.other = None\n") == 1
    assert fixed(tmp_path, base=PRINTING, other=RENAMING[way]) == 0


@pytest.mark.parametrize("way", RENAMING)
def test_an_unsafe_fix_names_the_written_name_that_another_file_stores(tmp_path: Path, way: str) -> None:
    (alone,) = whys(tmp_path, base=BRANCH)
    (doubted,) = whys(tmp_path, other=RENAMING[way].replace("Net.forward", "Base.forward").replace("Net", "Base"))
    assert re.fullmatch(rf"{re.escape(alone)}; .*`torch`.* {MORE}", doubted)


@pytest.mark.parametrize("way", RENAMING)
def test_a_builtin_that_a_finding_calls_is_not_trusted_where_another_file_stores_its_name(
    tmp_path: Path, way: str
) -> None:
    """`pow` of a tensor is found, and fixed, without a look at any value."""

    def safe(other: str) -> bool:
        (tmp_path / "base.py").write_text(PRINTING.replace("print(x.shape)", "x = pow(x, 2)"))
        (tmp_path / "other.py").write_text(other)
        found = run([str(tmp_path)], Settings(target_torch="2.13"), Mode(edits=False), jobs=1).findings
        return [each.fix.applicability.value for each in found if each.fix] == ["safe"]

    assert safe("import base\nbase.other = None\n")
    assert not safe(RENAMING[way].replace("torch", "pow"))
