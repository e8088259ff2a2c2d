"""The index of a file: what its statements import, store and replace, as text too."""

from __future__ import annotations

import pytest

from breaklint.analysis.encoding import decoded, encoded
from breaklint.analysis.file_index import FileIndex, file_index
from breaklint.lint.file_indexes import module_of
from breaklint.project.folders import Folders
from breaklint.source.syntax import parse


def index_of(text: str) -> FileIndex:
    return file_index(module_of("net.py", text, parse("net.py", text), Folders()))


WORDS = {
    "import a.b as c, d\n": {"a", "b", "d"},
    "if 1:\n    from a.b import (c,\n    d)\nimport e\n": {"a", "b", "c", "d", "e"},
    "def f():\n    from a import b, \\\n        c\n": {"a", "b", "c"},
    'x = import_module("a.b"), __import__("c")\n': {"a", "b", "c"},
    "mock.patch('a.b.c')\n": {"a", "b", "c"},
    '"""\nimport a\n"""\n# import a\nimportant = 2\n': set[str](),
}


@pytest.mark.parametrize("text", WORDS)
def test_words_of_imports(text: str) -> None:
    assert {*index_of(text).words} == WORDS[text]


REPLACED = {
    "import torch\ntorch.where = 1\n": {"torch.where"},
    "import torch\nT = torch.Tensor\nT.size = 1\n": {"torch.Tensor.size"},
    "def f():\n    import a\n    a.b = 1\n": {"a.b"},
    "class Net:\n    pass\nNet.size = 1\n": {".Net.size"},
    "import a\nsetattr(a, 'b' + 'c', 1)\n": {"a.*"},
    "from a import *\nNet.size = 1\n": {"a.Net.size"},
    "def f(net):\n    net.size = 1\n": set[str](),
    "patch('a.b.c', 1)\n": {"a.b.c"},
}


@pytest.mark.parametrize("text", REPLACED)
def test_attributes_of_modules_and_classes_that_are_replaced(text: str) -> None:
    assert {*index_of(text).replaced} == REPLACED[text]


CONTENTS = {
    "from a import CFG as C\nC['x'] = 1\n": {"CFG"},
    "import a\na.CFG['x']['y'] += 1\n": {"CFG"},
    "def f(net):\n    net.sizes.append(1)\n": {"sizes"},
    "from a import S\nS, x[0] = 1, 2\nS.sort()\n": {"S"},
    "CFG = {}\nCFG['x'] = 1\nlocal = []\nlocal.append(1)\n": set[str](),
    "class Net:\n    def f(self):\n        self.sizes.append(1)\n": set[str](),
}


@pytest.mark.parametrize("text", CONTENTS)
def test_lists_and_dicts_of_other_files_that_are_changed(text: str) -> None:
    assert {*index_of(text).contents} == CONTENTS[text]


def test_a_class_with_what_it_stores() -> None:
    text = """
from a import Base, register, Meta
@register("net")
class Net(Base, metaclass=Meta):
    limit = property(len)
    size: int = 3
    def __init__(self):
        self.register_buffer("mask", None)
        self.width = 1
        setattr(self, f"layer{self.width}", 1)
class Net:
    pass
"""
    net, again = index_of(text).classes
    assert (net.name, net.bases, net.makers) == ("Net", ("a.Base",), ("a.register", "a.Meta"))
    assert (net.methods, net.attributes, net.computed) == (("__init__",), ("limit", "size"), ("limit",))
    assert (net.stored, net.beginnings, net.buffers) == (("mask", "width"), ("layer",), ("mask",))
    assert again.name == "Net#2"


REBOUND = "x = 1\nx = 2\ndef f():\n    global x\n    x = 3\n"


@pytest.mark.parametrize("text", ["", REBOUND, *WORDS, *REPLACED, *CONTENTS])
def test_what_is_read_of_the_text_is_what_was_written(text: str) -> None:
    index = index_of(text)
    assert "\n" not in encoded(index)
    assert decoded(encoded(index)) == index


TOLD = {
    "f(a=1, **{'b': 2})\n": {"a", "b"},
    "def f(a, *b, c=1, **d):\n    pass\n": {"a", "b", "c", "d"},
    "x = f'{y}' 'a' \"b c\"\n# 'c'\n": set[str](),
    "class Net(metaclass=M):\n    names = ('a', \"b\")\n": {"a", "b", "metaclass"},
}


@pytest.mark.parametrize("text", TOLD)
def test_names_under_which_computed_stores_may_store(text: str) -> None:
    assert {*index_of(text).told} == TOLD[text]
