"""What is around a node: its parents, its statement, the block that holds it, and where a name gets its value."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

Block = list[ast.stmt]
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Definition:
    """Where a name has its value from. `statement` is None for a parameter or a name from outside; `exact` when the
    value is that of a plain `name = value`."""

    statement: ast.AST | None
    exact: bool = False

    @property
    def value(self) -> ast.expr | None:
        """The assigned expression of an exact definition."""
        return self.statement.value if self.exact and isinstance(self.statement, ast.Assign) else None


class Scope:
    """The nodes of one function (or of a whole module) with their parents."""

    def __init__(self, root: ast.AST) -> None:
        self.root = root
        self._parents: dict[ast.AST, ast.AST] = {}
        stack = [root]
        while stack:
            node = stack.pop()
            for child in ast.iter_child_nodes(node):
                self._parents[child] = node
                stack.append(child)

    def __contains__(self, node: ast.AST) -> bool:
        return node is self.root or node in self._parents

    def parent(self, node: ast.AST) -> ast.AST | None:
        """The node right around `node`, None at the root."""
        return self._parents.get(node)

    def parents(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes around `node`, innermost first."""
        up = self._parents.get(node)
        while up is not None:
            yield up
            up = self._parents.get(up)

    def statement(self, node: ast.AST) -> ast.stmt | None:
        """The innermost statement around an expression; the node itself when it is one."""
        return next((around for around in (node, *self.parents(node)) if isinstance(around, ast.stmt)), None)

    def block(self, statement: ast.stmt) -> tuple[Block, int] | None:
        """The list of statements that holds a statement, and its place in it."""
        around = self._parents.get(statement)
        for name in ("body", "orelse", "finalbody"):
            block = getattr(around, name, None)
            if isinstance(block, list) and statement in block:
                return block, block.index(statement)
        return None

    def loads(self, name: str) -> list[ast.Name]:
        """Where a name is read, in the order of the text."""
        return self._names(name, ast.Load)

    def stores(self, name: str) -> list[ast.Name]:
        """Where a name is bound by assignment."""
        return self._names(name, ast.Store)

    def _names(self, name: str, context: type[ast.expr_context]) -> list[ast.Name]:
        found = [n for n in self._parents if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, context)]
        return sorted(found, key=lambda node: (node.lineno, node.col_offset))

    def binds(self, name: str) -> bool:
        """Whether the function makes a name its own: by assignment, parameter, import, definition or deletion."""
        return any(_bound_by(node, name) for node in self._parents)

    def definition(self, name: str, at: ast.AST) -> Definition:
        """The definition of `name` that holds at a node; not exact where it depends on the way taken."""
        statement = self.statement(at)
        while statement is not None:
            place = self.block(statement)
            for earlier in reversed(place[0][: place[1]] if place else ()):
                if _stores(earlier, name):
                    return Definition(earlier, _assigns(earlier, name))
            around = self._parents.get(statement)
            if around is None or around is self.root:
                break
            if isinstance(around, (FUNCTIONS, ast.ClassDef)):
                return Definition(around)  # a closure: runs whenever it is called
            if _stores_around(around, name):
                return Definition(around)
            statement = self.statement(around)
        return Definition(None)


def _stores(statement: ast.AST, name: str) -> bool:
    return any(_bound_by(node, name) for node in (statement, *ast.walk(statement)))


def _stores_around(around: ast.AST, name: str) -> bool:
    """Whether what is around a block may have bound a name before the block: a loop's other turns, a `try` body, the
    head of an `if`, `with` or `case`."""
    if isinstance(around, (ast.For, ast.AsyncFor, ast.While, ast.Try, ast.ExceptHandler)):
        return _stores(around, name)
    heads = [child for child in ast.iter_child_nodes(around) if not isinstance(child, ast.stmt)]
    return any(_stores(head, name) for head in heads)


def _bound_by(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.Name):
        return node.id == name and not isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.arg):
        return node.arg == name
    if isinstance(node, ast.alias):
        return (node.asname or node.name.partition(".")[0]) == name
    named = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.ExceptHandler | ast.MatchAs | ast.MatchStar
    return isinstance(node, named) and node.name == name


def _assigns(statement: ast.stmt, name: str) -> bool:
    """Whether a statement is a plain `name = value`."""
    return (
        isinstance(statement, ast.Assign)
        and len(statement.targets) == 1
        and isinstance(statement.targets[0], ast.Name)
        and statement.targets[0].id == name
    )
