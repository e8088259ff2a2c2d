"""A profile speaks of code that is what its file says, whatever else runs under that file's name."""

from __future__ import annotations

import ast
import importlib.util
import linecache
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from _pytest.assertion.rewrite import rewrite_asserts

torch = pytest.importorskip("torch")

from breaklint.observe.process.own_code import OwnCode  # noqa: E402

TEXT = '''\
"""A module."""
from __future__ import annotations

def decorator(function):
    return function


class Net:
    @decorator
    def forward(self, x: int, *, y=(1, 2.0, "a")) -> int:
        """Doubles."""
        if x > 0:
            x = [each + 1 for each in y] + [x]
            x = x or "\\w"
        assert x, f"{x}"
        try:
            return x[0] * 2
        finally:
            print(x, 1, {1, 2}, x in {"a", "b", "c"})

    def other(self, x):
        return (lambda z: z + x)(1)
'''


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "net.py"
    file.write_text(TEXT)
    return file


def namespace(code: Any, path: Path) -> dict[str, Any]:
    names = {"__name__": "net", "__file__": str(path)}
    exec(code, names)
    return names


def methods(names: dict[str, Any]) -> list[types.CodeType]:
    return [getattr(names["Net"], name).__code__ for name in ("forward", "other")]


def own(*codes: types.CodeType) -> list[bool]:
    own_code = OwnCode()
    return [own_code.text(code)[0] is not None for code in codes]


def imported(path: Path) -> dict[str, Any]:
    spec = importlib.util.spec_from_file_location("net", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return vars(module)


def transformed(path: Path, change: Callable[[ast.Module], None]) -> dict[str, Any]:
    """As import hooks do: the file's tree, changed."""
    tree = ast.parse(path.read_text())
    change(tree)
    return namespace(compile(tree, str(path), "exec", dont_inherit=True), path)


def test_what_is_imported_is_the_files_own(path: Path) -> None:
    assert own(*methods(imported(path))) == [True, True]


def test_what_is_inside_functions_and_runs_by_its_place_is_the_files_own(path: Path) -> None:
    forward, other = methods(imported(path))
    inner = [each for code in (forward, other) for each in code.co_consts if isinstance(each, types.CodeType)]
    assert inner
    assert all(own(*inner))


def test_the_same_text_may_be_compiled_again(path: Path) -> None:
    assert own(*methods(namespace(compile(TEXT, str(path), "exec", dont_inherit=True), path))) == [True, True]


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_line_endings_make_no_difference(path: Path, ending: str) -> None:
    path.write_bytes(TEXT.replace("\n", ending).encode())
    assert own(*methods(imported(path))) == [True, True]


def test_so_does_an_encoding(path: Path) -> None:
    path.write_bytes(f"# coding: latin-1\n{TEXT.replace('Doubles', 'Dübles')}".encode("latin-1"))
    assert own(*methods(imported(path))) == [True, True]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x > 0", "x < 0"),
        ("x > 0", "x > 1"),
        ("x > 0", "x > False"),
        ("2.0", "2"),
        ("* 2", "* 2.0"),
        ("* 2", "* -2"),
        ('            x = x or "\\w"\n', '        x = x or "\\w"\n'),
        ("print", "repr"),
        ('"c"', '"d"'),
        ("1, {", "True, {"),
        ("each + 1", "each - 1"),
        ("def forward(self, x: int, *, y", "def forward(self, x: int, y"),
        ("class Net:", "class Net:\n"),
        ("        try:", "        x = 1\n        try:"),
    ],
)
def test_another_text_under_the_name_is_not(path: Path, old: str, new: str) -> None:
    """A row that is the same in both proves nothing: values that reach it come from others."""
    text = TEXT.replace(old, new, 1)
    assert text != TEXT
    names = namespace(compile(text, str(path), "exec", dont_inherit=True), path)
    forward = methods(names)[0]
    codes = [forward, *(each for each in forward.co_consts if isinstance(each, types.CodeType))]
    if old == "2.0":  # a default: what is called with, not what is compiled
        assert own(*codes) == [True] * len(codes)
    else:
        assert not all(own(*codes))


def test_text_that_only_linecache_has_is_not(path: Path) -> None:
    text = TEXT.replace("* 2", "* 3")
    linecache.cache[str(path)] = len(text), None, text.splitlines(True), str(path)
    try:
        assert own(*methods(namespace(compile(text, str(path), "exec", dont_inherit=True), path))) == [False, True]
    finally:
        linecache.clearcache()


def test_code_of_another_file_under_this_name_is_not(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.py"
    other.write_text(TEXT.replace("* 2", "* 3"))
    forward, same = methods(imported(other))
    assert own(forward, same) == [True, True]
    moved = [each.replace(co_filename=str(path)) for each in (forward, same)]
    assert own(*moved) == [False, True]


def test_a_replaced_code_is_that_of_the_file_that_it_names(path: Path) -> None:
    names = imported(path)
    names["Net"].forward.__code__ = names["Net"].other.__code__
    assert own(names["Net"].forward.__code__) == [True]


def test_an_edit_makes_what_was_loaded_before_another_code(path: Path) -> None:
    before = methods(imported(path))
    own_code = OwnCode()
    assert [own_code.text(each)[0] is not None for each in before] == [True, True]
    digest = getattr(own_code.text(before[0])[0], "digest", None)
    path.write_text(TEXT.replace("* 2", "* 30"))
    assert own(*before) == [False, True]
    after = methods(imported(path))
    assert [own_code.text(each)[0] is not None for each in after] == [True, True]
    assert getattr(own_code.text(after[0])[0], "digest", None) != digest


@pytest.mark.parametrize("text", [None, "def (", "\0"])
def test_code_without_a_file_is_not(path: Path, text: str | None) -> None:
    before = methods(imported(path))
    if text is None:
        path.unlink()
    else:
        path.write_text(text)
    assert own(*before) == [False, False]


def test_asserts_that_pytest_rewrites_are_no_rows_of_the_file(path: Path) -> None:
    names = transformed(path, lambda tree: rewrite_asserts(tree, TEXT.encode(), str(path)))
    forward, other = methods(names)
    assert own(forward, other) == [True, True]
    assert OwnCode().text(forward)[1] == {15}
    assert OwnCode().text(methods(imported(path))[0])[1] == set()


def _decorated(tree: ast.Module) -> None:
    """As jaxtyping and beartype do."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name != "decorator":
            name = ast.copy_location(ast.Name("decorator", ast.Load()), node)
            node.decorator_list.append(name)
            node.decorator_list.insert(0, name)
    ast.fix_missing_locations(tree)


def test_a_hook_that_decorates_leaves_the_code_as_it_is(path: Path) -> None:
    assert own(*methods(transformed(path, _decorated))) == [True, True]


def _checked(tree: ast.Module) -> None:
    """As typeguard does."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == "forward":
            node.body.insert(1, ast.copy_location(ast.parse("x = x + 0").body[0], node.body[0]))
    ast.fix_missing_locations(tree)


def test_a_hook_that_adds_statements_does_not(path: Path) -> None:
    assert own(*methods(transformed(path, _checked))) == [False, True]


def test_tracers_leave_the_code_as_it_is(path: Path) -> None:
    names = imported(path)
    before = sys.gettrace()
    sys.settrace(lambda *_: None)
    try:
        for _ in range(20):  # until Python has specialized it
            names["Net"]().other(1)
    finally:
        sys.settrace(before)
    assert own(*methods(names)) == [True, True]


def test_what_dynamo_makes_of_a_function_is_the_functions(path: Path) -> None:
    path.write_text("import torch\n\ndef f(x):\n    x = x + 1\n    print(1)\n    return x + 2\n")
    seen: list[types.CodeType] = []
    original = torch._dynamo.symbolic_convert.InstructionTranslatorBase.run

    def run(self: Any, *args: Any) -> Any:
        seen.append(self.f_code)
        return original(self, *args)

    torch._dynamo.symbolic_convert.InstructionTranslatorBase.run = run
    try:
        torch.compile(imported(path)["f"], backend="eager")(torch.ones(2))
    finally:
        torch._dynamo.symbolic_convert.InstructionTranslatorBase.run = original
    resumed = [code for code in seen if code.co_filename == str(path) and code.co_name != "f"]
    assert resumed
    assert all(own(*resumed))
