"""The functions of a source text: where each is, and a hash of its text that other edits of the file leave as it is."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from typing import NamedTuple

from breaklint.errors import SourceError
from breaklint.source.syntax import parse


class Function(NamedTuple):
    """A function with its decorators: `name` as `Net.forward`, `digest` of its text, and its lines from 1."""

    name: str
    digest: str
    first: int
    last: int


class Functions:
    """All functions of a text; none of one that does not parse."""

    def __init__(self, path: str, text: str) -> None:
        self._lines = text.split("\n")
        try:
            tree = parse(path, text)
        except SourceError:
            tree = ast.Module([], [])
        self.all = tuple(self._below(tree, ""))
        self._by_row: dict[int, Function] = {}
        for function in self.all:  # an outer one comes before those in it
            self._by_row.update(dict.fromkeys(range(function.first, function.last + 1), function))

    def at(self, row: int) -> Function | None:
        """The innermost function of a line."""
        return self._by_row.get(row)

    def _below(self, node: ast.AST, prefix: str) -> Iterator[Function]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                name = f"{prefix}{child.name}"
                if not isinstance(child, ast.ClassDef):
                    yield self._function(child, name)
                yield from self._below(child, f"{name}.")
            else:
                yield from self._below(child, prefix)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> Function:
        first = min([node.lineno, *(item.lineno for item in node.decorator_list)])
        last = node.end_lineno or node.lineno
        text = "\n".join(line.rstrip() for line in self._lines[first - 1 : last])
        return Function(name, hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16], first, last)
