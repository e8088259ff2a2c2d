"""Stores in variables, attributes and items."""

from __future__ import annotations

import ast
import operator
from collections.abc import Sequence
from typing import Any

from breaklint.project.binding import SETTER
from breaklint.project.module import ClassInfo
from breaklint.recompiles.attributes import class_key, function_key
from breaklint.recompiles.changes import Site
from breaklint.recompiles.comprehensions import Comprehensions
from breaklint.recompiles.objects import UNKNOWN, Closure, Obj, Tensor, Unknown
from breaklint.recompiles.python_operations import run_python
from breaklint.recompiles.scopes import Scope
from breaklint.recompiles.symbols import Sym, key_of


class Stores(Comprehensions):
    """Stores values where targets say."""

    def assign(self, target: ast.expr, value: Any, scope: Scope) -> None:
        """Store a value in a variable, an attribute or an item."""
        if isinstance(target, ast.Name):
            if target.id in scope.globals:
                self.store_global(scope.module, target.id, value)
                if self.changes is not None:
                    self.changes.name((scope.module.name, target.id), Site(scope.module, target))
                    if isinstance(value, Unknown):
                        self.changes.unknown.add(target)
            else:
                scope.bind(target.id, value)
                if target.id in scope.outer and self.changes is not None:
                    self.changes.name(("closure", target.id), Site(scope.module, target))
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._unpack(target.elts, self.force(value), scope)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, value, scope)
        elif isinstance(target, ast.Attribute):
            self._store_attribute(target, self.eval(target.value, scope), value, scope)
        elif isinstance(target, ast.Subscript):
            owner = self.eval(target.value, scope)
            self.store_item(owner, self.eval(target.slice, scope), self.force(value))
            self.note_change(owner, target, scope)

    def _store_attribute(self, target: ast.Attribute, owner: Any, value: Any, scope: Scope) -> None:
        name = target.attr
        if isinstance(owner, (ClassInfo, Closure)):
            key = class_key(owner, name) if isinstance(owner, ClassInfo) else function_key(owner, name)
            self.world.globals[key] = value
            if self.changes is not None:
                self.changes.name(key, Site(scope.module, target))
        if not isinstance(owner, Obj):
            return
        setter = self.project.method(owner.cls, name + SETTER) if isinstance(owner.cls, ClassInfo) else None
        if setter is not None:
            self.call_function(self.function(setter), [owner, value], {})
            return
        self.note_change(owner, target, scope, name)
        if self.changes is not None and isinstance(value, Unknown):
            self.changes.unknown.add(target)
        owner.store(name, value)

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
            run_python(operator.delitem, owner, key)

    def store_item(self, owner: Any, key: Any, value: Any) -> None:
        """`owner[key] = value`."""
        if isinstance(owner, list) and isinstance(key, (int, Sym, slice)):
            run_python(operator.setitem, owner, key, value)
        elif isinstance(owner, dict) and not isinstance(key, Unknown):
            owner[key_of(key)] = value
        elif isinstance(owner, Tensor) and self.trace is not None:
            self.index(owner, key)
