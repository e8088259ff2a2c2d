"""Containers that grow with every call: lists, and caches with a key for each size."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from breaklint.interp.containers import Dict, Sequence, Tuple
from breaklint.interp.events import Call, Event, Index, SetAttribute
from breaklint.interp.objects import Instance
from breaklint.interp.values import Size, constant_kind
from breaklint.project.module import ClassInfo
from breaklint.project.walking import walk
from breaklint.rules.base import Check, Hit
from breaklint.rules.checks.repeated_calls import CONTENTS
from breaklint.rules.checks.state import ChangingState, has_size, outlives_call, parts_of


class _Growing(dict[tuple[type, str], bool]):
    """By check and name: whether the containers of a file only grow, computed once per file."""


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
        if not outlives_call(owner) or owner is not event.frame.owner:
            return False
        return not self._is_emptied(event, owner, node.attr)

    def _is_emptied(self, event: Event, owner: Instance, name: str) -> bool:
        mro = event.frame.interp.project.mro(owner.cls)
        methods = [method for cls in mro if isinstance(cls, ClassInfo) for method in cls.methods.values()]
        return any(
            node is not event.node and self._empties(node, name)
            for method in methods
            if not method.name.endswith(".__init__")
            for kind in (ast.Attribute, ast.Subscript, ast.Call)
            for node in method.nodes.of(kind)
        )

    def only_grows_in_module(self, event: Event, node: ast.expr) -> bool:
        """Whether `node` is a container of the file's top level that nothing in the file empties or binds again."""
        frame = event.frame
        if not isinstance(node, ast.Name) or node.id in frame.env or node.id in frame.outer:
            return False
        if not isinstance(frame.module.bound(node.id), (ast.List, ast.Call)) or frame.function is None:
            return False
        cache = frame.module.derive(_Growing, _Growing)
        key = (type(self), node.id)
        if key not in cache:
            cache[key] = self._only_grows_in(walk(frame.module.tree), node.id)
        return cache[key]

    def _only_grows_in(self, nodes: Iterable[ast.AST], name: str) -> bool:
        """Whether code binds a name once and empties nothing of that name."""
        nodes = [*nodes]
        uses = (node for node in nodes if isinstance(node, ast.Name) and node.id == name)
        bound = sum(isinstance(item.ctx, (ast.Store, ast.Del)) for item in uses)
        return bound == 1 and not any(self._empties(node, name) for node in nodes)

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
        sized = any(isinstance(part, Size) for part in parts_of(index.index))
        if index.use == "store" and sized and isinstance(index.base, Dict) and self.only_grows(index, index.node.value):
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
        if isinstance(node, ast.Name) and node.id in event.frame.module.names:
            others = (item for item in walk(event.frame.module.tree) if item is not event.node)
            return any(self._empties(other, node.id) for other in others)
        owner = event.frame.interp.values.get(node.value) if isinstance(node, ast.Attribute) else None
        return (
            isinstance(owner, Instance)
            and isinstance(node, ast.Attribute)
            and self._is_emptied(event, owner, node.attr)
        )

    def guess(self, event: Event) -> Iterator[Hit]:
        if isinstance(event, Call):
            is_list = isinstance(event.owner, Sequence) and event.owner.kind == "list"
            callee = event.node.func if isinstance(event.node, ast.Call) else None
            # `push = self.history.append` does not name the list.
            if not is_list or event.method not in self.growing or not isinstance(callee, ast.Attribute):
                return
            if self.only_grows(event, callee.value) or self.only_grows_in_module(event, callee.value):
                yield Hit(event.node)
        elif isinstance(event, SetAttribute):
            grows = constant_kind(event.value) == "str" or isinstance(event.value, (Tuple, Sequence))
            if event.augmented and grows and self.only_grows(event, event.node):
                yield Hit(event.node)


def _names(node: ast.expr, name: str) -> bool:
    return (isinstance(node, ast.Attribute) and node.attr == name) or (isinstance(node, ast.Name) and node.id == name)
