"""Module state that changes on every call, so that guards fail and Dynamo compiles again and again."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from breaklint.analysis.events import Call, Event, SetAttribute
from breaklint.analysis.module import ClassInfo
from breaklint.analysis.values import Const, Instance, Sequence, Static, constant_kind
from breaklint.analysis.walking import walk
from breaklint.checks.base import Check, Hit


class CounterAttribute(Check):
    """`self.steps += 1` with a Python number."""

    events = (SetAttribute,)

    def see(self, event: Event) -> Iterator[Hit]:
        assert isinstance(event, SetAttribute)
        number = isinstance(event.value, (Const, Static)) and constant_kind(event.value) in ("int", "float")
        if event.augmented and number and isinstance(event.base, Instance):
            yield Hit(event.node)


class GrowingList(Check):
    """`self.history.append(x)`, where no method but the constructor sets or empties the list."""

    events = (Call,)
    growing = frozenset({"append", "extend", "insert"})
    emptying = frozenset({"clear", "pop", "remove", "popleft"})

    def see(self, event: Event) -> Iterator[Hit]:
        assert isinstance(event, Call)
        if event.method not in self.growing or not isinstance(event.owner, Sequence) or event.owner.kind != "list":
            return
        place = event.node.func.value if isinstance(event.node, ast.Call) else None  # type: ignore[attr-defined]
        if not isinstance(place, ast.Attribute):
            return
        owner = event.frame.module.values.get(place.value)
        if not isinstance(owner, Instance) or owner is not event.frame.owner:
            return
        if not self._is_emptied(event, owner, place.attr):
            yield Hit(event.node)

    def _is_emptied(self, event: Call, owner: Instance, name: str) -> bool:
        mro = event.frame.machine.project.mro(owner.cls)
        methods = [method for cls in mro if isinstance(cls, ClassInfo) for method in cls.methods.values()]
        return any(
            self._empties(node, name)
            for method in methods
            if not method.name.endswith(".__init__")
            for node in walk(method.node)
        )

    def _empties(self, node: ast.AST, name: str) -> bool:
        if isinstance(node, ast.Attribute):
            return node.attr == name and isinstance(node.ctx, (ast.Store, ast.Del))
        if isinstance(node, ast.Subscript):
            return isinstance(node.ctx, (ast.Store, ast.Del)) and _names(node.value, name)
        called = node.func if isinstance(node, ast.Call) else None
        return isinstance(called, ast.Attribute) and called.attr in self.emptying and _names(called.value, name)


def _names(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == name
