"""Expressions in the order in which they are evaluated, in blocks."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import NamedTuple

from breaklint.project.own_names import COMPREHENSIONS, own_names
from breaklint.project.scope import name_of
from breaklint.project.walking import children

ENTRY = 0


class Place(NamedTuple):
    """A block, and how many nodes are before it there."""

    block: int
    at: int


class Blocks:
    """Lays out blocks in the order in which Python evaluates expressions."""

    def __init__(self, reads_all: Callable[[ast.Call], bool]) -> None:
        self._reads_all = reads_all
        self._exhausted_generators: set[ast.AST] = set()  # generators that are read to their end where they stand
        self.places: dict[ast.AST, Place] = {}
        self.foreign: set[ast.AST] = set()
        self.successors: list[list[int]] = []
        self._lengths: list[int] = []
        self._at = self._block()
        self._exit = self._block()
        self._raises: int | None = None  # where an exception leads within the function
        self._inner: list[frozenset[str]] = []  # names of the comprehensions and classes around

    def _block(self, *before: int) -> int:
        self.successors.append([])
        self._lengths.append(0)
        new = len(self.successors) - 1
        for block in before:
            self._edge(block, new)
        return new

    def _edge(self, start: int, end: int) -> None:
        if end not in self.successors[start]:
            self.successors[start].append(end)

    def _note(self, node: ast.AST) -> None:
        """Give a node the next position; if it may raise and the exception is caught, it may not be evaluated."""
        if self._raises is not None:
            self._edge(self._at, self._raises)
            self._at = self._block(self._at)
        self.places[node] = Place(self._at, self._lengths[self._at])
        self._lengths[self._at] += 1
        if self._inner and any(name_of(node) in names for names in self._inner):
            self.foreign.add(node)

    def _evaluate(self, node: ast.AST) -> None:
        """The parts of an expression in the order in which they are evaluated, then itself."""
        if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords and self._reads_all(node):
            self._exhausted_generators.update(node.args)
        if isinstance(node, ast.BoolOp):
            self._chain(node.values)
        elif isinstance(node, ast.IfExp):
            self._evaluate(node.test)
            start, end = self._at, self._block()
            for side in (node.body, node.orelse):
                self._at = self._block(start)
                self._evaluate(side)
                self._edge(self._at, end)
            self._at = end
        elif isinstance(node, ast.Compare):
            self._evaluate(node.left)
            self._chain(node.comparators)
        elif isinstance(node, ast.NamedExpr):
            self._evaluate(node.value)
            self._evaluate(node.target)
        elif isinstance(node, ast.Lambda):
            for default in (*node.args.defaults, *node.args.kw_defaults):
                if default is not None:
                    self._evaluate(default)
        elif isinstance(node, COMPREHENSIONS):
            self._comprehension(node)
        elif isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if key is not None:
                    self._evaluate(key)
                self._evaluate(value)
        else:
            for part in children(node):
                self._evaluate(part)
        self._note(node)

    def _chain(self, parts: list[ast.expr]) -> None:
        """Parts of which each may be the last that is evaluated."""
        self._evaluate(parts[0])
        if len(parts) > 1:
            end = self._block()
            for part in parts[1:]:
                self._edge(self._at, end)
                self._at = self._block(self._at)
                self._evaluate(part)
            self._edge(self._at, end)
            self._at = end

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> None:
        """As the equivalent loops; the loops of a generator run whenever it is read."""
        first = node.generators[0]
        self._evaluate(first.iter)
        if isinstance(node, ast.GeneratorExp) and node not in self._exhausted_generators:
            return
        self._inner.append(frozenset(name for name, _ in own_names(node, inside=True)))
        ends = []
        for generator in node.generators:
            if generator is not first:
                self._evaluate(generator.iter)
            head = self._at = self._block(self._at)
            ends.append((head, self._block(head)))
            self._at = self._block(head)
            self._evaluate(generator.target)
            for test in generator.ifs:
                self._evaluate(test)
                self._edge(self._at, head)
                self._at = self._block(self._at)
        for part in (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,):
            self._evaluate(part)
        self._inner.pop()
        for head, end in reversed(ends):
            self._edge(self._at, head)
            self._at = end
