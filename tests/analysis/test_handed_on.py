"""A fix is not safe where code that is given a library may replace the function that the fix calls or rests on."""

from __future__ import annotations

from pathlib import Path

import pytest

from breaklint.lint.run import run
from breaklint.lint.workers import Mode
from breaklint.model import Applicability, Settings

NET = """\
import functools
import torch
import torch.nn as nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor):
        print(x.shape)
        return x
{below}"""
HACK = "def hack(lib):\n    lib.is_compiling = lambda: True\n"
NAMED = "def hack(lib, name):\n    setattr(lib, name, lambda: True)\n"
REPLACING = {
    "what objects do to store": ("type(torch).__setattr__(torch.compiler, 'is_compiling', lambda: True)", {}),
    "two functions": (f"{HACK}def through(lib):\n    hack(lib)\nthrough(torch.compiler)", {}),
    "two functions of other files": (
        "from through import through\nthrough(torch.compiler)",
        {"hacks.py": NAMED, "through.py": "import hacks\ndef through(lib):\n    hacks.hack(lib, 'is_compiling')\n"},
    ),
    "a function that stores": (f"{HACK}hack(torch.compiler)", {}),
    "a function that stores by name": (f"{NAMED}hack(torch.compiler, 'is_compiling')", {}),
    "an object that keeps it": (
        "class Hack:\n    def __init__(self, lib):\n        self.lib = lib\n        self.lib.is_compiling = None\n"
        "Hack(torch.compiler)",
        {},
    ),
    "setattr, mapped": ("list(map(setattr, [torch.compiler], ['is_compiling'], [None]))", {}),
    "setattr, in part": ("functools.partial(setattr, torch.compiler, 'is_compiling')(None)", {}),
    "setattr, under another name": ("put = setattr\nput(torch.compiler, 'is_compiling', None)", {}),
    "a variable of a function": ("def hack():\n    lib = torch.compiler\n    lib.is_compiling = None\nhack()", {}),
    "a default": ("def hack(lib=torch.compiler):\n    lib.is_compiling = None\nhack()", {}),
    "a function of another file": ("from hacks import hack\nhack(torch.compiler)", {"hacks.py": HACK}),
    "a function of a star": ("from hacks import *\nhack(torch.compiler)", {"hacks.py": NAMED}),
    "another file": ("from hacks import *", {"hacks.py": f"import torch\n{HACK}hack(torch.compiler)\n"}),
}
HARMLESS = {
    "only asked": ("known = hasattr(torch.compiler, 'is_compiling')\n" + HACK, {}),
    "no function that stores it": ("def show(lib):\n    return lib.is_compiling()\nshow(torch.compiler)", {}),
    "a file that stores other names": (
        "from hacks import hack\nhack(torch.compiler)",
        {"hacks.py": HACK.replace("is_compiling", "marked")},
    ),
    "a function of another file": (
        "from helps import show\nshow(torch.compiler)",
        {"helps.py": "def show(lib):\n    return lib\n", "hacks.py": NAMED},
    ),
}


def applicabilities(folder: Path, below: str, others: dict[str, str]) -> set[Applicability]:
    for name, text in {"net.py": NET.format(below=below + "\n"), **others}.items():
        (folder / name).write_text(text)
    found = run([str(folder)], Settings(), Mode(edits=False), jobs=1).findings
    return {finding.fix.applicability for finding in found if finding.fix is not None and finding.code == "BRK101"}


@pytest.mark.parametrize("way", REPLACING)
def test_what_is_given_a_library_may_replace_its_functions(tmp_path: Path, way: str) -> None:
    assert Applicability.SAFE not in applicabilities(tmp_path, *REPLACING[way])


@pytest.mark.parametrize("way", HARMLESS)
def test_a_library_is_handed_on_and_nothing_is_stored_in_it(tmp_path: Path, way: str) -> None:
    assert applicabilities(tmp_path, *HARMLESS[way]) == {Applicability.SAFE}


STORING = f"import torch\n{NAMED}class Other:\n    def run(self, use):\n        use(torch)\n"


def test_what_a_file_may_be_handed_says_nothing_of_files_that_no_import_connects_with_it(tmp_path: Path) -> None:
    assert applicabilities(tmp_path, "", {"other.py": STORING}) == {Applicability.SAFE}
    connected = {"other.py": STORING, "main.py": "import net\nimport other\n"}
    assert applicabilities(tmp_path, "", connected) == {Applicability.UNSAFE}


def test_what_a_file_stores_in_a_library_counts_whatever_imports_connect(tmp_path: Path) -> None:
    for store in (
        "torch.compiler.is_compiling = None",
        "torch.compiler._is_compiling_flag = True",
        "torch.compiler.__dict__.update(is_compiling=None)",
        "exec('is_compiling = None', vars(torch.compiler))",
        "setattr(torch.compiler, name(), None)",
    ):
        assert applicabilities(tmp_path, "", {"other.py": f"import torch\n{store}\n"}) == {Applicability.UNSAFE}


def test_a_name_of_a_function_is_not_the_library_that_the_file_calls_so(tmp_path: Path) -> None:
    below = f"{NAMED}def show(torch, run):\n    run(torch)\n"
    assert applicabilities(tmp_path, below, {}) == {Applicability.SAFE}
    assert applicabilities(tmp_path, below.replace("show(torch, ", "show("), {}) == {Applicability.UNSAFE}
