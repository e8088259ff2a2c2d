"""Stores in variables, attributes and items."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from breaklint.recompiles.comprehensions import Comprehensions
from breaklint.recompiles.objects import UNKNOWN, Obj, Tensor, Unknown
from breaklint.recompiles.scopes import Raised, Scope
from breaklint.recompiles.symbols import Sym


class Stores(Comprehensions):
    """Stores values where targets say."""

    def assign(self, target: ast.expr, value: Any, scope: Scope) -> None:
        """Store a value in a variable, an attribute or an item."""
        if isinstance(target, ast.Name):
            if target.id in scope.globals:
                self.store_global(scope.module, target.id, value)
            else:
                scope.bind(target.id, value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._unpack(target.elts, self.force(value), scope)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, value, scope)
        elif isinstance(target, ast.Attribute):
            owner = self.eval(target.value, scope)
            if isinstance(owner, Obj):
                owner.store(target.attr, value)
        elif isinstance(target, ast.Subscript):
            self.store_item(self.eval(target.value, scope), self.eval(target.slice, scope), self.force(value))

    def _unpack(self, targets: Sequence[ast.expr], value: Any, scope: Scope) -> None:
        items = self.iterated(value)
        star = next((index for index, each in enumerate(targets) if isinstance(each, ast.Starred)), None)
        if items is None or (star is None and len(items) != len(targets)):
            items, star = [UNKNOWN] * len(targets), None
        if star is not None:
            rest = len(targets) - star - 1
            items = [*items[:star], items[star : len(items) - rest], *items[len(items) - rest :]]
        for target, item in zip(targets, items, strict=False):
            self.assign(target, item, scope)

    def delete_item(self, owner: Any, key: Any) -> None:
        """`del owner[key]`."""
        if isinstance(owner, (list, dict)) and not isinstance(key, Unknown):
            try:
                del owner[key]
            except (KeyError, IndexError):
                raise Raised from None

    def store_item(self, owner: Any, key: Any, value: Any) -> None:
        """`owner[key] = value`."""
        if isinstance(owner, list) and isinstance(key, (int, Sym, slice)):
            try:
                owner[key] = value
            except (IndexError, TypeError):
                return
        elif isinstance(owner, dict) and not isinstance(key, (Unknown, Tensor, list)):
            owner[key] = value
        elif isinstance(owner, Tensor) and self.trace is not None:
            self.index(owner, key)
