"""What differs between torch versions is a fact that rules, models and codemods ask for, and never a comparison."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from harness import PROJECT

from breaklint.torchops.torch_versions import holds

PARTS = ("interp", "rules", "fixes", "analysis", "project", "codemod")
FILES = sorted(path for part in PARTS for path in (PROJECT / "breaklint" / part).rglob("*.py"))


def comparisons(tree: ast.AST) -> Iterator[int]:
    """The rows on which a version is compared, or cut into its numbers."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "release":
            yield node.lineno
        elif isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            of_version = any(ast.unparse(side).endswith("facts.version") for side in sides)
            if of_version or any(_is_release(side) for side in sides):
                yield node.lineno


def _is_release(node: ast.expr) -> bool:
    """`(2, 13)`, or `"2.13"`."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and node.value[:2] == "2." and node.value[2:].isdigit()
    values = (
        [element.value for element in node.elts if isinstance(element, ast.Constant)]
        if isinstance(node, ast.Tuple)
        else []
    )
    return len(values) == 2 and values[0] == 2 and isinstance(values[1], int) and values[1] > 9


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PROJECT)))
def test_no_version_is_compared(path: Path) -> None:
    assert list(comparisons(ast.parse(path.read_text("utf-8")))) == []


@pytest.mark.parametrize("code", ["release(v) < x", "facts.version >= other", "v < (2, 13)", 'v == "2.15"'])
def test_a_comparison_is_seen(code: str) -> None:
    assert list(comparisons(ast.parse(code))) != []


@pytest.mark.parametrize(
    ("specifier", "expected"),
    [("", True), (">=2.11", True), ("<2.13", False), (">=2.9,<2.14", True), ("==2.13", True), ("!=2.13", False)],
)
@pytest.mark.parametrize("version", ["2.13", "2.13.0+cpu"])
def test_versions(specifier: str, expected: bool, version: str) -> None:
    assert holds(specifier, version) is expected


def test_a_specifier_of_another_form_is_refused() -> None:
    with pytest.raises(ValueError, match="is not like"):
        holds("~=2.11", "2.13")
