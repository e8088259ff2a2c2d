"""Every request to an arm names an operation that it has, with the arguments that it takes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from harness import PROJECT

ARM, VERIFY = PROJECT / "breaklint" / "verify" / "arm", PROJECT / "breaklint" / "verify"


def arguments(function: ast.FunctionDef, of_method: bool) -> tuple[set[str], set[str]]:
    """The names that have to be given to a function or a method, and all that may be."""
    names = [arg.arg for arg in (*function.args.args[int(of_method) :], *function.args.kwonlyargs)]
    optional = names[len(names) - len(function.args.defaults) :] if function.args.defaults else []
    return {*names} - {*optional}, {*names}


def operations(file: str) -> dict[str, tuple[set[str], set[str]]]:
    """The arguments of each public method of a file's class."""
    found = {}
    for cls in (node for node in ast.parse((ARM / file).read_text("utf-8")).body if isinstance(node, ast.ClassDef)):
        for method in (node for node in cls.body if isinstance(node, ast.FunctionDef) and node.name[0] != "_"):
            found[method.name] = arguments(method, of_method=True)
    return found


KNOWN = operations("arm.py")


def known(operation: str) -> tuple[set[str], set[str]] | None:
    """The arguments of an operation, or of a function that is named as `MODULE:FUNCTION`; None where there is none."""
    module, _, name = operation.partition(":")
    path = PROJECT.joinpath(*module.split(".")).with_suffix(".py")
    if not name or not path.is_file():
        return KNOWN.get(operation)
    body = ast.parse(path.read_text("utf-8")).body
    functions = {node.name: node for node in body if isinstance(node, ast.FunctionDef)}
    return arguments(functions[name], of_method=False) if name in functions else None


def requests(path: Path) -> Iterator[tuple[int, str, set[str]]]:
    """Row, operation and the names of the arguments of every request in a file that names its operation."""
    text = path.read_text("utf-8")
    if ".ask(" not in text:
        return
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        texts = [arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
        named = {keyword.arg or "**": keyword.value for keyword in node.keywords if keyword.arg != "within_s"}
        if (
            node.func.attr == "ask"
            and texts == ["call"]
            and isinstance(function := named.get("function"), ast.Constant)
        ):
            yield node.lineno, "call", {"function"}
            if str(function.value).startswith("breaklint."):  # what a library's function takes is not known here
                yield node.lineno, str(function.value), {*named} - {"function"}
        elif node.func.attr == "ask" and texts:
            yield node.lineno, texts[0], {*named}


FILES = [path for folder in (VERIFY, Path(__file__).parent) for path in sorted(folder.rglob("*.py"))]
ASKED = [(path, *request) for path in FILES for request in requests(path)]


@pytest.mark.parametrize(
    ("path", "row", "operation", "given"), ASKED, ids=[f"{path.name}:{row} {op}" for path, row, op, _ in ASKED]
)
def test_a_request_names_an_operation_with_its_arguments(path: Path, row: int, operation: str, given: set[str]) -> None:
    taken = known(operation)
    assert taken is not None, f"{path}:{row}"
    needed, allowed = taken
    assert given - {"**"} <= allowed, f"{path}:{row}"
    assert needed <= given or "**" in given, f"{path}:{row}"


def test_every_operation_is_asked_for() -> None:
    asked = {operation for path, _, operation, _ in ASKED if VERIFY in path.parents}
    assert KNOWN.keys() - asked <= {"load"}  # by a method of its own
