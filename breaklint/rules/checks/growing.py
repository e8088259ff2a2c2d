"""Containers that grow with every call: lists, and caches with a key for each size."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from breaklint.interp.containers import Dict, Sequence, Tuple
from breaklint.interp.events import Call, Event, Index, SetAttribute
from breaklint.interp.objects import Instance
from breaklint.interp.values import constant_kind
from breaklint.project.module import ClassInfo, Module
from breaklint.project.walking import walk
from breaklint.rules.base import Check, Hit
from breaklint.rules.checks.repeated_calls import CONTENTS
from breaklint.rules.checks.state import ChangingState, has_size, outlives_call


class _InFile(dict[tuple[type, str], tuple[int, list[ast.AST]]]):
    """By check and name: how often a file binds the name, and its code that empties a container of that name."""


class GrowingContainer(Check):
    """Base of the checks of containers of modules and files: whether other code empties one."""

    # Methods of Python's containers.
    emptying = frozenset({"clear", "pop", "popitem", "remove", "popleft"})
    replacing: tuple[type[ast.expr_context], ...] = (ast.Store, ast.Del)

    def only_grows(self, event: Event, node: ast.expr) -> bool:
        """Whether `node` is a container of the running method's module, or of the file's top level, that nothing
        empties or binds again; constructors of modules do not count."""
        frame = event.frame
        if isinstance(node, ast.Attribute):
            owner = frame.interp.values.get(node.value)
            return outlives_call(owner) and owner is frame.owner and not self.is_emptied(event, node)
        if not isinstance(node, ast.Name) or node.id in frame.env or node.id in frame.outer or frame.function is None:
            return False
        if not isinstance(frame.module.bound(node.id), (ast.List, ast.Call)):
            return False
        return self._in_file(frame.module, node.id)[0] == 1 and not self.is_emptied(event, node)

    def is_emptied(self, event: Event, node: ast.AST) -> bool:
        """Whether other code than an event empties a container of the file, or of an object in another method than
        its constructor."""
        frame = event.frame
        if isinstance(node, ast.Name) and node.id in frame.module.names:
            return any(item is not event.node for item in self._in_file(frame.module, node.id)[1])
        owner = frame.interp.values.get(node.value) if isinstance(node, ast.Attribute) else None
        if not isinstance(node, ast.Attribute) or not isinstance(owner, Instance):
            return False
        classes = (cls for cls in frame.interp.project.mro(owner.cls) if isinstance(cls, ClassInfo))
        methods = (method for cls in classes for name, method in cls.methods.items() if name != "__init__")
        return any(
            item is not event.node and self._empties(item, node.attr)
            for method in methods
            for kind in (ast.Attribute, ast.Subscript, ast.Call)
            for item in method.nodes.of(kind)
        )

    def _in_file(self, module: Module, name: str) -> tuple[int, list[ast.AST]]:
        """How often a file binds a name, and its code that empties a container of that name."""
        cache, key = module.derive(_InFile, _InFile), (type(self), name)
        if key not in cache:
            nodes = walk(module.tree)
            names = (item for item in nodes if isinstance(item, ast.Name) and item.id == name)
            stores = sum(not isinstance(item.ctx, ast.Load) for item in names)
            cache[key] = stores, [item for item in nodes if self._empties(item, name)]
        return cache[key]

    def _empties(self, node: ast.AST, name: str) -> bool:
        if isinstance(node, ast.Attribute):
            return node.attr == name and isinstance(node.ctx, (ast.Store, ast.Del))
        if isinstance(node, ast.Subscript):
            return isinstance(node.ctx, self.replacing) and _names(node.value, name)
        callee = node.func if isinstance(node, ast.Call) else None
        return isinstance(callee, ast.Attribute) and callee.attr in self.emptying and _names(callee.value, name)


class CacheBySize(GrowingContainer):
    """`self.cache[x.shape[0]] = …`: one more entry, and one more graph, for every size."""

    replacing: tuple[type[ast.expr_context], ...] = (ast.Del,)

    def visit_index(self, index: Index) -> Iterator[Hit]:
        container = index.node.value
        is_stored = index.use == "store" and isinstance(index.base, Dict) and isinstance(container, ast.Attribute)
        if is_stored and has_size(index.index) and self.only_grows(index, container):
            yield Hit(index.node)


class GrowingList(ChangingState, GrowingContainer):
    """`self.history.append(x)` and `self.path = self.path + "/a"`, if the value is larger at the next call.

    So is a list of the file's top level, a dict and a set.
    """

    kind = CONTENTS
    # Methods of Python's lists.
    growing = frozenset({"append", "extend", "insert"})

    def visit_index(self, index: Index) -> Iterator[Hit]:
        if not has_size(index.index):  # CacheBySize reports these
            yield from super().visit_index(index)

    def is_reset(self, event: Event) -> bool:
        node: ast.AST = event.node
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            node = node.func.value
        elif isinstance(node, ast.Subscript):
            node = node.value
        return self.is_emptied(event, node)

    def guess(self, event: Event) -> Iterator[Hit]:
        if isinstance(event, Call):
            is_list = isinstance(event.owner, Sequence) and event.owner.kind == "list"
            callee = event.node.func if isinstance(event.node, ast.Call) else None
            # `push = self.history.append` does not name the list.
            if not is_list or event.method not in self.growing or not isinstance(callee, ast.Attribute):
                return
            if self.only_grows(event, callee.value):
                yield Hit(event.node)
        elif isinstance(event, SetAttribute):
            grows = constant_kind(event.value) == "str" or isinstance(event.value, (Tuple, Sequence))
            if event.augmented and grows and self.only_grows(event, event.node):
                yield Hit(event.node)


def _names(node: ast.expr, name: str) -> bool:
    return (isinstance(node, ast.Attribute) and node.attr == name) or (isinstance(node, ast.Name) and node.id == name)
