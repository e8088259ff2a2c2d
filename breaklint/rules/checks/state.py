"""Module state that changes on every call, so that guards fail and Dynamo compiles again and again."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from breaklint.interp.containers import Dict, Sequence, Tuple
from breaklint.interp.events import Call, Event, Index, SetAttribute
from breaklint.interp.lattice import Value
from breaklint.interp.objects import Instance
from breaklint.interp.values import Const, Size, Static, constant_kind
from breaklint.project.module import ClassInfo
from breaklint.project.walking import walk
from breaklint.rules.base import Check, Hit


class CounterAttribute(Check):
    """`self.steps += 1` with a Python number, and `self.seen["calls"] += 1`."""

    events = (SetAttribute, Index)

    def see(self, event: Event) -> Iterator[Hit]:
        if isinstance(event, Index):
            yield from self._item(event)
            return
        assert isinstance(event, SetAttribute)
        number = isinstance(event.value, (Const, Static)) and constant_kind(event.value) in ("int", "float")
        if event.augmented and number and isinstance(event.base, Instance):
            yield Hit(event.node)

    def _item(self, event: Index) -> Iterator[Hit]:
        held = event.node.value if isinstance(event.node, ast.Subscript) else None
        if event.use != "augment" or not isinstance(held, ast.Attribute) or not isinstance(event.index, Const):
            return
        owner = event.frame.interp.values.get(held.value)
        counted = event.base.get(event.index) if isinstance(event.base, Dict) else None
        if isinstance(event.base, Sequence) and event.base.kind == "list":
            counted = event.base.element
        number = isinstance(counted, (Const, Static)) and constant_kind(counted) in ("int", "float")
        if number and isinstance(owner, Instance) and owner.outside:
            yield Hit(event.node)


class Growing(Check):
    """What is common to containers of the module that nobody empties."""

    emptying = frozenset({"clear", "pop", "popitem", "remove", "popleft"})
    replacing: tuple[type[ast.expr_context], ...] = (ast.Store, ast.Del)

    def keeps(self, event: Event, place: ast.expr | None) -> bool:
        """Whether `place` is a container of the running method's module that no method but the constructor empties."""
        if not isinstance(place, ast.Attribute):
            return False
        owner = event.frame.interp.values.get(place.value)
        if not isinstance(owner, Instance) or owner is not event.frame.owner:
            return False
        return not self._is_emptied(event, owner, place.attr)

    def _is_emptied(self, event: Event, owner: Instance, name: str) -> bool:
        mro = event.frame.interp.project.mro(owner.cls)
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
            return isinstance(node.ctx, self.replacing) and _names(node.value, name)
        called = node.func if isinstance(node, ast.Call) else None
        return isinstance(called, ast.Attribute) and called.attr in self.emptying and _names(called.value, name)


class CacheBySize(Growing):
    """`self.cache[x.shape[0]] = …`: one more entry, and one more graph, for every size."""

    events = (Index,)
    replacing: tuple[type[ast.expr_context], ...] = (ast.Del,)

    def see(self, event: Event) -> Iterator[Hit]:
        assert isinstance(event, Index)
        held = event.node.value if isinstance(event.node, ast.Subscript) else None
        sized = any(isinstance(part, Size) for part in _parts(event.index))
        if event.use == "store" and sized and isinstance(event.base, Dict) and self.keeps(event, held):
            yield Hit(event.node)


def _parts(index: Value) -> tuple[Value, ...]:
    """The parts of a key."""
    return index.items if isinstance(index, Tuple) else (index,)


class GrowingList(Growing):
    """`self.history.append(x)`, where no method but the constructor sets or empties the list."""

    events = (Call,)
    growing = frozenset({"append", "extend", "insert"})

    def hears(self, target: str, method: str) -> bool:
        return method in self.growing

    def see(self, event: Event) -> Iterator[Hit]:
        assert isinstance(event, Call)
        if event.method not in self.growing or not isinstance(event.owner, Sequence) or event.owner.kind != "list":
            return
        called = event.node.func if isinstance(event.node, ast.Call) else None
        # `push = self.history.append` has no place.
        if self.keeps(event, called.value if isinstance(called, ast.Attribute) else None):
            yield Hit(event.node)


def _names(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == name
