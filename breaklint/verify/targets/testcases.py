"""Test cases as ParityBench writes them: a module-level list of (class, init arguments, forward arguments, ...)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from breaklint.errors import SourceError
from breaklint.source.decoding import read_source
from breaklint.source.syntax import parse

NAME = "TESTCASES"


def case_classes(path: Path) -> list[str]:
    """The class of every test case in a file, in order, read without running it; SourceError when it is not Python."""
    text = read_source(str(path)).text
    if NAME not in text:
        return []
    try:
        body = parse(str(path), text).body
    except SourceError:
        return []  # reported with its place when the file is checked
    return [name for node in body for name in _classes(node)]


def _classes(node: ast.stmt) -> Iterator[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    if not any(isinstance(target, ast.Name) and target.id == NAME for target in targets):
        return
    value = getattr(node, "value", None)
    for case in value.elts if isinstance(value, ast.List | ast.Tuple) else ():
        if isinstance(case, ast.Tuple) and case.elts:
            yield ast.unparse(case.elts[0])
