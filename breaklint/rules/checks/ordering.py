"""Comparisons by a key, and functions that select items or attributes."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Final

from breaklint.interp.containers import Sequence, Tuple
from breaklint.interp.events import Call, Truth
from breaklint.interp.iteration import element_of
from breaklint.interp.lattice import UNKNOWN, Value
from breaklint.interp.objects import Instance
from breaklint.interp.values import NONE, ExternalInstance
from breaklint.rules.base import Check, Hit
from breaklint.rules.value_kinds import certain_tensor

# Builtins, and classes of the standard library.
EXTREMES: Final = frozenset({"builtins.max", "builtins.min"})
SORTED: Final = "builtins.sorted"
LAZY: Final = frozenset({"zip", "enumerate", "map"})
OF_PAIRS: Final = "`{source}` is not traced: it compares pairs of a generator"
COUNTER: Final = "collections.Counter"
PICKING: Final = frozenset(
    ExternalInstance(f"operator.{name}") for name in ("itemgetter", "attrgetter", "methodcaller")
)


class ExtremeByKey(Check):
    """`max(tensors, key=...)`: Dynamo finds the largest by constants alone, and sorts by them alone."""

    def applies_to(self, target: str, method: str) -> bool:
        return target in EXTREMES or target == SORTED or method == "sort"

    def visit_call(self, call: Call) -> Iterator[Hit]:
        sorts = call.target == SORTED or bool(call.method)
        if call.kwargs.get("key", NONE) == NONE:
            arguments = call.args if call.owner is None else [call.owner] if isinstance(call.owner, Sequence) else []
            rows = [*_items(arguments[0])] if len(arguments) == 1 else []
            if call.target in EXTREMES:
                untraced = any(map(_orders_itself, call.args if len(call.args) > 1 else rows))
                if not untraced and not call.kwargs and _yields_rows(call, rows):
                    yield Hit(call.node, OF_PAIRS)
            else:
                untraced = any(_compares_tensors(call, row) for row in rows)
            if untraced:
                yield Hit(call.node)
            return
        if sorts:
            return
        if call.frame.interp.facts.traces("max-by-key"):
            return  # it compares the keys, as `sorted` does
        items = call.args if len(call.args) > 1 else [item for value in call.args for item in _items(value)]
        if any(map(_holds_tensor, items)) or (len(call.args) == 1 and _is_untraced_row(call.args[0])):
            yield Hit(call.node)

    def visit_truth(self, truth: Truth) -> Iterator[Hit]:
        if truth.kind == "key" and certain_tensor(truth.value) is not None:
            yield Hit(truth.node)


def _orders_itself(item: Value) -> bool:
    """Whether an item is an object of the project, which Dynamo does not compare."""
    return isinstance(item, Instance)


def _yields_rows(call: Call, rows: list[Value]) -> bool:
    """Whether the items are tuples or lists of a generator, which Dynamo compares only in a container."""
    items = call.node.args[0] if isinstance(call.node, ast.Call) and len(call.node.args) == 1 else None
    by_name = isinstance(items, ast.Call) and isinstance(items.func, ast.Name) and items.func.id in LAZY
    is_lazy = (by_name or isinstance(items, ast.GeneratorExp)) and _is_untraced_row(call.args[0])
    return is_lazy and any(isinstance(row, (Tuple, Sequence)) for row in rows)


def _compares_tensors(call: Call, row: Value) -> bool:
    """Whether sorting items without a key compares tensors, or objects of the project; for pairs, some versions compare
    the first items."""
    if _orders_itself(row):
        return not call.frame.interp.facts.traces("sort-of-objects")
    if isinstance(row, Tuple) and row.items and call.frame.interp.facts.traces("sort-of-pairs"):
        return _holds_tensor(row.items[0])
    return (isinstance(row, Tuple) or call.owner is not None) and _holds_tensor(row)


def _is_untraced_row(value: Value) -> bool:
    """Whether a value is a view of a dict, a generator, `enumerate(rows)` or a Counter: Dynamo does not compare their
    items by a key."""
    return (isinstance(value, Sequence) and value.kind in ("generator", "keys")) or value == ExternalInstance(COUNTER)


def _items(value: Value) -> Iterable[Value]:
    items = value.items if isinstance(value, (Tuple, Sequence)) else None
    return (element_of(value) or UNKNOWN,) if items is None else items


def _holds_tensor(value: Value) -> bool:
    if isinstance(value, Tuple):
        return any(map(_holds_tensor, value.items))
    if isinstance(value, Sequence):
        return value.element is not None and _holds_tensor(value.element)
    return certain_tensor(value) is not None


class OperatorObject(Check):
    """A call of an `operator.itemgetter(0)` that is created before the compiled code runs, or its use as `key=`."""

    def applies_to(self, target: str, method: str) -> bool:
        return target in ("", "builtins.sorted", "builtins.map", "builtins.filter", "functools.reduce", *EXTREMES)

    def visit_call(self, call: Call) -> Iterator[Hit]:
        callee = ExternalInstance(call.instance) if call.instance else None
        if callee in PICKING or (call.target and not PICKING.isdisjoint((*call.args, *call.kwargs.values()))):
            yield Hit(call.node)
