"""All nodes of a file, walked once for all that its index asks."""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cached_property
from typing import Any, TypeVar

from breaklint.project.walking import walk_with_parents

N = TypeVar("N", bound=ast.AST)


class FileNodes:
    """The nodes of a tree by their class, with the node right `around` each."""

    def __init__(self, tree: ast.Module) -> None:
        self.around = dict(walk_with_parents(tree))
        self._by_class: defaultdict[type[ast.AST], list[Any]] = defaultdict(list)
        for node in self.around:
            self._by_class[node.__class__].append(node)

    def of(self, cls: type[N]) -> list[N]:
        """The nodes of one class."""
        return self._by_class[cls]

    @cached_property
    def rebound(self) -> frozenset[str]:
        """The names that functions of the file may bind as their own, except for those of imports."""
        names = {name.id for name in self.of(ast.Name) if name.ctx.__class__ is not ast.Load}
        names.update(each.arg for each in self.of(ast.arg))
        for cls in (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler, ast.MatchAs, ast.MatchStar):
            names.update(each.name for each in self._by_class[cls] if each.name is not None)
        return frozenset(names)
