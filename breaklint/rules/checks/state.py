"""Module state that changes on every call, so that guards fail and Dynamo compiles again and again."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

from breaklint.interp.containers import Dict, Sequence, Tuple
from breaklint.interp.events import Call, Event, Index, SetAttribute
from breaklint.interp.lattice import Value
from breaklint.interp.objects import Instance
from breaklint.interp.values import Const, Size, Static, constant_kind
from breaklint.project.module import ClassInfo
from breaklint.rules.base import Check, Hit


class CounterAttribute(Check):
    """`self.steps += 1` with a Python number, and `self.seen["calls"] += 1`."""

    def visit_set_attribute(self, attribute: SetAttribute) -> Iterator[Hit]:
        if attribute.augmented and _is_number(attribute.value) and _is_kept(attribute.base):
            yield Hit(attribute.node)

    def visit_index(self, index: Index) -> Iterator[Hit]:
        held = index.node.value
        if index.use != "augment" or not isinstance(held, ast.Attribute) or not isinstance(index.index, Const):
            return
        owner = index.frame.interp.values.get(held.value)
        counted = index.base.get(index.index) if isinstance(index.base, Dict) else None
        if isinstance(index.base, Sequence) and index.base.kind == "list":
            counted = index.base.element
        if _is_number(counted) and _is_kept(owner):
            yield Hit(index.node)


def _is_kept(owner: Value | None) -> TypeGuard[Instance]:
    """Whether an object outlives the call: one that traced code makes is new every time."""
    return isinstance(owner, Instance) and owner.outside


def _is_number(value: Value | None) -> bool:
    """Whether a value is a number of Python that Dynamo holds as a constant."""
    return isinstance(value, (Const, Static)) and constant_kind(value) in ("int", "float")


class GrowingContainer(Check):
    """Base of the checks of a module's containers: whether any method but the constructor empties one."""

    # Methods of Python's containers.
    emptying = frozenset({"clear", "pop", "popitem", "remove", "popleft"})
    replacing: tuple[type[ast.expr_context], ...] = (ast.Store, ast.Del)

    def only_grows(self, event: Event, node: ast.expr) -> bool:
        """Whether `node` is a container of the running method's module that no method but the constructor empties."""
        if not isinstance(node, ast.Attribute):
            return False
        owner = event.frame.interp.values.get(node.value)
        if not _is_kept(owner) or owner is not event.frame.owner:
            return False
        return not self._is_emptied(event, owner, node.attr)

    def _is_emptied(self, event: Event, owner: Instance, name: str) -> bool:
        mro = event.frame.interp.project.mro(owner.cls)
        methods = [method for cls in mro if isinstance(cls, ClassInfo) for method in cls.methods.values()]
        return any(
            self._empties(node, name)
            for method in methods
            if not method.name.endswith(".__init__")
            for kind in (ast.Attribute, ast.Subscript, ast.Call)
            for node in method.nodes.of(kind)
        )

    def _empties(self, node: ast.AST, name: str) -> bool:
        if isinstance(node, ast.Attribute):
            return node.attr == name and isinstance(node.ctx, (ast.Store, ast.Del))
        if isinstance(node, ast.Subscript):
            return isinstance(node.ctx, self.replacing) and _names(node.value, name)
        called = node.func if isinstance(node, ast.Call) else None
        return isinstance(called, ast.Attribute) and called.attr in self.emptying and _names(called.value, name)


class CacheBySize(GrowingContainer):
    """`self.cache[x.shape[0]] = …`: one more entry, and one more graph, for every size."""

    replacing: tuple[type[ast.expr_context], ...] = (ast.Del,)

    def visit_index(self, index: Index) -> Iterator[Hit]:
        sized = any(isinstance(part, Size) for part in _parts(index.index))
        if index.use == "store" and sized and isinstance(index.base, Dict) and self.only_grows(index, index.node.value):
            yield Hit(index.node)


def _parts(index: Value) -> tuple[Value, ...]:
    """The parts of a key."""
    return index.items if isinstance(index, Tuple) else (index,)


class GrowingList(GrowingContainer):
    """`self.history.append(x)`, where no method but the constructor sets or empties the list."""

    # Methods of Python's lists.
    growing = frozenset({"append", "extend", "insert"})

    def applies_to(self, target: str, method: str) -> bool:
        return method in self.growing

    def visit_call(self, call: Call) -> Iterator[Hit]:
        if not isinstance(call.owner, Sequence) or call.owner.kind != "list":
            return
        called = call.node.func if isinstance(call.node, ast.Call) else None
        # `push = self.history.append` does not name the list.
        if isinstance(called, ast.Attribute) and self.only_grows(call, called.value):
            yield Hit(call.node)


def _names(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == name
