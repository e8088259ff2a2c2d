"""Every request to an arm names an operation that it has, with the arguments that it takes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from harness import PROJECT

ARM, VERIFY = PROJECT / "breaklint" / "verify" / "arm", PROJECT / "breaklint" / "verify"


def operations(file: str, prefix: str = "") -> dict[str, tuple[set[str], set[str]]]:
    """Of each public method of a file's class: the names that have to be given, and all that may be."""
    found = {}
    for cls in (node for node in ast.parse((ARM / file).read_text("utf-8")).body if isinstance(node, ast.ClassDef)):
        for method in (node for node in cls.body if isinstance(node, ast.FunctionDef) and node.name[0] != "_"):
            names = [arg.arg for arg in (*method.args.args[1:], *method.args.kwonlyargs)]
            optional = names[len(names) - len(method.args.defaults) :] if method.args.defaults else []
            found[prefix + method.name] = ({*names} - {*optional}, {*names})
    return found


KNOWN = operations("arm.py") | operations("comparer.py", "compare_")


def requests(path: Path) -> Iterator[tuple[int, str, set[str]]]:
    """Row, operation and the names of the arguments of every request in a file that names its operation."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        texts = [arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
        given = {keyword.arg or "**" for keyword in node.keywords}
        if node.func.attr == "ask" and texts:
            yield node.lineno, texts[0], given
        elif node.func.attr == "compared" and texts:
            yield node.lineno, texts[0], given | {"records"}
            yield node.lineno, f"compare_{texts[-1]}", {"records"}


FILES = [path for folder in (VERIFY, Path(__file__).parent) for path in sorted(folder.rglob("*.py"))]
ASKED = [(path, *request) for path in FILES for request in requests(path)]


@pytest.mark.parametrize(
    ("path", "row", "operation", "given"), ASKED, ids=[f"{path.name}:{row} {op}" for path, row, op, _ in ASKED]
)
def test_a_request_names_an_operation_with_its_arguments(path: Path, row: int, operation: str, given: set[str]) -> None:
    assert operation in KNOWN, f"{path}:{row}"
    needed, allowed = KNOWN[operation]
    assert given - {"**"} <= allowed, f"{path}:{row}"
    assert needed <= given or "**" in given, f"{path}:{row}"


def test_every_operation_is_asked_for() -> None:
    asked = {operation for path, _, operation, _ in ASKED if VERIFY in path.parents}
    assert KNOWN.keys() - asked <= {"load"}  # by a method of its own
