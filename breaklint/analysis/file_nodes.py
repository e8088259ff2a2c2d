"""All nodes of a file, walked once for all that its index asks."""

from __future__ import annotations

import ast
from collections import defaultdict
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
