"""Comprehensions."""

# ruff: noqa: D102 - the methods of one kind of node are named by it

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from breaklint.recompiles.calls import Calls
from breaklint.recompiles.objects import UNKNOWN
from breaklint.recompiles.scopes import Scope
from breaklint.recompiles.symbols import key_of


class Comprehensions(Calls):
    """Runs comprehensions and generator expressions; the latter at once."""

    def eval_ListComp(self, node: ast.ListComp | ast.GeneratorExp, scope: Scope) -> Any:
        made: list[Any] = []
        inner = Scope(scope.module, scope)
        known = self._each(node.generators, inner, lambda: made.append(self.eval_lazy(node.elt, inner)))
        return made if known else UNKNOWN

    def eval_GeneratorExp(self, node: ast.GeneratorExp, scope: Scope) -> Any:
        return self.eval_ListComp(node, scope)

    def eval_SetComp(self, node: ast.SetComp, scope: Scope) -> Any:
        made: set[Any] = set()
        inner = Scope(scope.module, scope)
        known = self._each(node.generators, inner, lambda: made.add(key_of(self.eval(node.elt, inner))))
        return made if known else UNKNOWN

    def eval_DictComp(self, node: ast.DictComp, scope: Scope) -> Any:
        made: dict[Any, Any] = {}
        inner = Scope(scope.module, scope)

        def add() -> None:
            made[key_of(self.eval(node.key, inner))] = self.eval_lazy(node.value, inner)

        return made if self._each(node.generators, inner, add) else UNKNOWN

    def _each(self, generators: Sequence[ast.comprehension], scope: Scope, add: Callable[[], object]) -> bool:
        if not generators:
            add()
            return True
        first = generators[0]
        items = self.iterated(self.eval(first.iter, scope))
        if items is None:
            return False
        for item in items:
            self.assign(first.target, item, scope)
            if all(self.truth(self.eval(test, scope)) is not False for test in first.ifs):
                self._each(generators[1:], scope, add)
        return True
