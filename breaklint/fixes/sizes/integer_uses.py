"""Whether Python integers can take the place of 0-dim integer tensors wherever these are read."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.interp.predicates import is_tensor
from breaklint.project.scope import single_name
from breaklint.project.walking import walk

# No schema says that a number gives what a tensor without dimensions gives.
FUNCTIONS = frozenset(
    f"torch.{name}" for name in "linspace arange zeros ones full empty rand randn range narrow split".split()
)
# Nor of these methods, whose sizes may be 0-dim tensors.
METHODS = frozenset("view reshape expand repeat narrow split new_zeros new_ones new_empty new_full".split())
# Builtins that take a 0-dim tensor for an integer.
BUILTINS = frozenset({"builtins.range", "builtins.int", "builtins.float"})
ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.Div)
USED = "the sizes are used where a tensor may be needed"


class IntegerUses:
    """Follows names of integers through arithmetic; raises NotFixable where a tensor may be needed."""

    def __init__(self, request: FixRequest, loop: ast.For) -> None:
        self.request, self.scope, self._loop = request, request.scope, loop
        self._names: set[str] = set()

    def check(self, names: Iterable[str]) -> None:
        """Follow every read of these names in the loop and behind it, and of those that are computed from them."""
        new = [name for name in names if name not in self._names]
        self._names.update(new)
        for name in new:
            if self.scope.shares(name):
                raise NotFixable(USED)
            for load in self.scope.loads(name):
                if self.request.flow.may_precede(self._loop, load):
                    self._follow(load)

    def _follow(self, node: ast.expr) -> None:
        around = self.scope.parent(node)
        if isinstance(around, ast.BinOp) and isinstance(around.op, ARITHMETIC):
            other = around.right if around.left is node else around.left
            if not is_tensor(self.request.value(other)) or self._is_number(other):
                self._follow(around)
        elif isinstance(around, ast.UnaryOp) and isinstance(around.op, ast.USub):
            self._follow(around)
        elif isinstance(around, ast.Compare):
            branch = self.scope.parent(around)
            if not isinstance(branch, (ast.If, ast.IfExp, ast.While)) or branch.test is not around:
                raise NotFixable(USED)
        elif isinstance(around, (ast.Assign, ast.AugAssign)) and (name := _target(around)) is not None:
            self.check([name])
        elif isinstance(around, (ast.Tuple, ast.List)):
            self._passed(self.scope.parent(around), around)
        elif not isinstance(around, ast.Slice):
            self._passed(around, node)

    def _is_number(self, node: ast.expr) -> bool:
        """Whether an expression is one of the integers, or computed from them and constants."""
        names = [part for part in walk(node) if isinstance(part, (ast.Name, ast.Call, ast.Subscript, ast.Attribute))]
        return all(isinstance(part, ast.Name) and part.id in self._names for part in names)

    def _passed(self, call: ast.AST | None, node: ast.expr) -> None:
        """As an argument that both may be: a size, a bound or a count."""
        call = self.scope.parent(call) if isinstance(call, ast.keyword) else call
        if not isinstance(call, ast.Call) or node is call.func:
            raise NotFixable(USED)
        name, method = self.request.qualified(call.func), getattr(call.func, "attr", "")
        of_tensor = isinstance(call.func, ast.Attribute) and not name and method in METHODS
        if name not in FUNCTIONS | BUILTINS and not of_tensor:
            raise NotFixable(USED)


def _target(statement: ast.Assign | ast.AugAssign) -> str | None:
    if isinstance(statement, ast.AugAssign):
        return statement.target.id if isinstance(statement.target, ast.Name) else None
    return single_name(statement)
