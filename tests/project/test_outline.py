"""Files that imports lead to are cut at their definitions; put together again they are what Python reads."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from harness import PROJECT

from breaklint.project.binding import build
from breaklint.project.definitions import parse_outline
from breaklint.project.module import FunctionInfo, Module
from breaklint.project.outline import cut_module

FILES = [*sorted((PROJECT / "breaklint").rglob("*.py")), *sorted((PROJECT / "tests").rglob("test_*.py"))]
LONG = "    1,\n" * 300
ODD = {
    "decorators": "import a\n\n@a.b(\n    1,\n)\n@c\nasync def f():\n    pass\n\n\nx = 1\n",
    "a docstring with code": 'def f():\n    """\ndef g():\n    pass\n"""\n\n\ndef h():\n    return 1\n',
    "other quotes": "def f():\n    '''\ndef g():\n    pass\n'''\n\n\ndef h():\n    return 1\n",
    "brackets at the margin": "x = [\n1,\n2,\n]\n\n\ndef f(\n    a,\n):\n    return [\n1\n]\n\n\ny = 2\n",
    "quotes in a comment": '# """\ndef f():\n    pass\n\n\ndef g():\n    """Text."""\n',
    "methods": "class A(B):\n    x = 1\n\n    @property\n    def f(self):\n        return 1\n\n    @f.setter\n"
    "    def f(self, value):\n        pass\n\n    class Inner:\n        def g(self): pass\n\n    def h(self): pass\n",
    "only methods": "class A:\n    def f(self): pass\n    def g(self): pass\n",
    "tabs": "class A:\n\tdef f(self):\n\t\treturn 1\n\n\tx = 2\n",
    "one line": "def f(): pass\nclass A: x = 1\nclass B: pass\n",
    "defined under a test": "if a:\n    def f():\n        pass\nelse:\n    class A:\n        pass\n",
    "defined twice": "def f():\n    return 1\n\n\ndef f():\n    return 2\n",
    "no end of line": "x = 1\ndef f():\n    return 1",
    "a long table": f"A = {{\n{LONG}}}\n# of B\nB: list[int] = [\n{LONG}]  # the end\n\n\ndef f(): return A, B\n",
    "a statement behind a long table": f"A = [\n{LONG}]; b = 1\n\n\nc = 2\n",
    "a long table under two names": f"A = B = [\n{LONG}]\n",
    "Windows lines": "x = 1\r\ndef f():\r\n    return 1\r\n",
}


def put_together(text: str) -> str:
    skeleton, places, size, parts = parse_outline("a.py", text)
    module = build(Module("a.py", "a", skeleton, parts, False, places, size))
    assert module.text == text
    return ast.dump(module.tree, include_attributes=True)


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_odd_texts_are_put_together_again(text: str) -> None:
    assert put_together(text) == ast.dump(ast.parse(text), include_attributes=True)


@pytest.mark.parametrize("path", FILES[::9], ids=lambda path: str(path.relative_to(PROJECT)))
def test_own_files_are_put_together_again(path: Path) -> None:
    text = path.read_text("utf-8")
    assert put_together(text) == ast.dump(ast.parse(text), include_attributes=True)


def test_a_string_ends_with_the_quotes_that_began_it() -> None:
    text = "def f():\n    '''\n\"\"\"\nx\n'''\n\n\ndef g():\n    return 1\n"
    cut = cut_module(text)
    assert cut is not None
    assert [piece.name for piece in cut[1]] == ["f", "g"]
    assert put_together(text) == ast.dump(ast.parse(text), include_attributes=True)


def test_only_what_is_asked_for_is_parsed() -> None:
    not_requested = "    def h(self): ?\n"
    text = f"import a\n\n\ndef f():\n    return 1\n\n\nclass A:\n    def g(self):\n        return 2\n\n{not_requested}"
    skeleton, places, size, parts = parse_outline("a.py", text)
    module = build(Module("a.py", "a", skeleton, parts, False, places, size))
    function = module.names["f"]
    assert isinstance(function, FunctionInfo)
    assert module.parsed < len(text)
    assert function.node.lineno == 4
    assert module.classes[0].methods["g"].node.lineno == 9


def test_a_long_table_is_parsed_when_it_is_read() -> None:
    skeleton, places, size, parts = parse_outline("a.py", f"A = [\n{LONG}]\nb = 1\n")
    module = build(Module("a.py", "a", skeleton, parts, False, places, size))
    assert module.parsed < 100
    table = module.bound("A")
    assert isinstance(table, ast.List)
    assert len(table.elts) == 300
    assert module.bound("A") is table
    assert module.tree.body[0].lineno == 1


def test_a_long_table_that_is_no_python_is_empty() -> None:
    skeleton, places, size, parts = parse_outline("a.py", f"A = [\n{LONG}    ?\n]\n")
    module = build(Module("a.py", "a", skeleton, parts, False, places, size))
    assert isinstance(module.bound("A"), ast.Constant)
    assert module.unparsed is not None


def test_what_has_no_decorators_is_not_parsed_to_tell_so() -> None:
    text = "class A:\n    def f(self): ?\n\n    @property\n    def g(self):\n        return 2\n\n\ndef h(): ?\n"
    skeleton, places, size, parts = parse_outline("a.py", text)
    module = build(Module("a.py", "a", skeleton, parts, False, places, size))
    result = {**module.names, **module.classes[0].methods}
    decorators = {name: item.decorators for name, item in result.items() if isinstance(item, FunctionInfo)}
    assert {name: len(nodes) for name, nodes in decorators.items()} == {"f": 0, "g": 1, "h": 0}
    assert module.unparsed is None


def test_a_definition_in_a_string_is_not_cut_out() -> None:
    assert cut_module('text = """\ndef f():\n    pass\n"""\n') is None
