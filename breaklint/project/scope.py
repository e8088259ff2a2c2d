"""The surroundings of a node: parents, statement, block; and the reads and stores of names."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Set
from functools import cached_property
from typing import Final

from breaklint.project.syntax import begin_of
from breaklint.project.walking import walk_with_parents

Block = list[ast.stmt]
_NAMED: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler, ast.MatchAs, ast.MatchStar)
_NOTED: Final = frozenset(
    {*_NAMED, ast.MatchMapping, ast.Name, ast.arg, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal}
)
# Nodes that bind a name at their place; parameters are bound before.
Store = (
    ast.Name
    | ast.alias
    | ast.FunctionDef
    | ast.AsyncFunctionDef
    | ast.ClassDef
    | ast.ExceptHandler
    | ast.MatchAs
    | ast.MatchStar
    | ast.MatchMapping
)


class Scope:
    """The nodes of one function (or of a whole module) with their parents."""

    def __init__(self, root: ast.AST) -> None:
        self.root = root
        self._parents: dict[ast.AST, ast.AST] = {}
        self._loads: dict[str, list[ast.Name]] = {}
        self._stores: dict[str, list[Store]] = {}
        self._bound: dict[str, list[ast.AST]] = {}
        self._shared: set[str] = set()
        self.imports: list[ast.Import] = []  # without those of single names
        self._places: dict[ast.stmt, tuple[Block, int]] = {}
        self._gather()

    def _gather(self) -> None:
        for node, parent in walk_with_parents(self.root):
            self._parents[node] = parent
            if node.__class__ in _NOTED:
                self._note(node)
        for loads in self._loads.values():
            loads.sort(key=begin_of)
        for stores in self._stores.values():
            stores.sort(key=begin_of)

    def _note(self, node: ast.AST) -> None:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            self.imports += [node] if isinstance(node, ast.Import) else []
            for alias in node.names:
                self._parents[alias] = node
                self._note(alias)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            self._loads.setdefault(node.id, []).append(node)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            self._shared.update(node.names)
        elif bound := name_of(node):
            self._bound.setdefault(bound, []).append(node)
            if isinstance(node, Store) and not isinstance(getattr(node, "ctx", None), ast.Del):
                self._stores.setdefault(bound, []).append(node)

    @cached_property
    def asserts(self) -> list[ast.Assert]:
        """The assertions at the top level of a function."""
        body = getattr(self.root, "body", ())
        return [node for node in body if isinstance(node, ast.Assert)] if isinstance(body, list) else []

    def __contains__(self, node: ast.AST) -> bool:
        return node is self.root or node in self._parents

    def parent(self, node: ast.AST) -> ast.AST | None:
        """The parent of `node`, None at the root."""
        return self._parents.get(node)

    def parents(self, node: ast.AST) -> Iterator[ast.AST]:
        """The ancestors of `node`, innermost first."""
        up = self._parents.get(node)
        while up is not None:
            yield up
            up = self._parents.get(up)

    def is_inner(self, node: ast.AST) -> bool:
        """Whether a node is in a nested function, which runs when it is called."""
        return any(
            isinstance(up, ast.Lambda | ast.FunctionDef | ast.AsyncFunctionDef) and up is not self.root
            for up in self.parents(node)
        )

    def statement(self, node: ast.AST) -> ast.stmt | None:
        """The innermost statement around an expression; the node itself when it is one."""
        return next((parent for parent in (node, *self.parents(node)) if isinstance(parent, ast.stmt)), None)

    def block(self, statement: ast.stmt) -> tuple[Block, int] | None:
        """The list of statements that contains a statement, and its index."""
        if statement not in self._places:
            enclosing = self._parents.get(statement)
            for name in ("body", "orelse", "finalbody"):
                block = getattr(enclosing, name, None)
                if isinstance(block, list):
                    self._places.update((item, (block, place)) for place, item in enumerate(block))
        return self._places.get(statement)

    def loads(self, name: str) -> list[ast.Name]:
        """The reads of a name, in the order of the text."""
        return self._loads.get(name, [])

    @property
    def read_names(self) -> Set[str]:
        """The names that are read anywhere in it."""
        return self._loads.keys()

    def stores(self, name: str) -> list[Store]:
        """The bindings of a name, in the order of the text: targets, imports, definitions, handlers, patterns."""
        return self._stores.get(name, [])

    def bound(self, name: str) -> list[ast.AST]:
        """The bindings and deletions of a name, with parameters."""
        return self._bound.get(name, [])

    def shares(self, name: str) -> bool:
        """Whether a name is declared `global` or `nonlocal` in the function, or in one inside it."""
        return name in self._shared

    def binds(self, name: str) -> bool:
        """Whether the function binds a name itself: by assignment, parameter, import, definition or deletion."""
        return name in self._bound


def name_of(node: ast.AST) -> str | None:
    """The name that a node binds by itself, or reads."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.arg):
        return node.arg
    if isinstance(node, ast.alias):
        return node.asname or node.name.partition(".")[0]
    if isinstance(node, ast.MatchMapping):
        return node.rest
    return node.name if isinstance(node, _NAMED) else None


def single_target(node: ast.AST | None) -> ast.expr | None:
    """The target of a statement `target = value`; None for any other node."""
    return node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None


def single_name(node: ast.AST | None) -> str | None:
    """The name that a statement `name = value` assigns; None for any other node."""
    target = single_target(node)
    return target.id if isinstance(target, ast.Name) else None
