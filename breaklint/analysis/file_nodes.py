"""All nodes of a file, walked once for all that its index asks."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Set
from functools import cached_property

from breaklint.project.walking import NodesByClass, names_in, walk_with_parents


class FileNodes(NodesByClass):
    """The nodes below a tree by their class, with the node right `around` each."""

    def __init__(self, tree: ast.Module) -> None:
        super().__init__(())
        self.around = dict(walk_with_parents(tree, self))

    def named(self, words: Set[str]) -> Iterator[tuple[ast.AST, Set[str]]]:
        """The variables, attributes and texts that are one of some words, each with those that it is."""
        for node in (*self.of(ast.Name), *self.of(ast.Attribute), *self.of(ast.Constant)):
            if found := words & {*names_in(node)}:
                yield node, found

    @cached_property
    def rebound(self) -> frozenset[str]:
        """The names that functions of the file may bind as their own, except for those of imports."""
        names = {name.id for name in self.of(ast.Name) if name.ctx.__class__ is not ast.Load}
        names.update(each.arg for each in self.of(ast.arg))
        for cls in (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler, ast.MatchAs, ast.MatchStar):
            names.update(each.name for each in self[cls] if each.name is not None)
        return frozenset(names)
