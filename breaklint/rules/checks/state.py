"""Module state that changes on every call, so that guards fail and Dynamo compiles again and again."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from typing import Final, TypeGuard

from breaklint.interp.call_log import CHANGING
from breaklint.interp.callables import ClassValue, Function
from breaklint.interp.containers import Dict, Sequence, Tuple
from breaklint.interp.events import Call, Event, Index, Rebind, RepeatedCompile, SetAttribute
from breaklint.interp.lattice import Value, options
from breaklint.interp.objects import Instance
from breaklint.interp.values import NONE, Const, Size, Static, Tensor, constant_kind
from breaklint.project.module import FunctionInfo
from breaklint.project.walking import walk
from breaklint.rules.base import Check, Hit
from breaklint.rules.checks.repeated_calls import NUMBER, is_old, verdict

TWICE: Final = "`{source}` compiles twice: from then on this float is an input of the graph"
SETTING: Final = frozenset({"builtins.setattr", "builtins.next"})  # functions that change their argument


class ChangingState:
    """Base of the checks of state that a guard reads and that differs at the next call.

    This is decided by interpreting calls of the entry point in sequence (repeated_calls.py). `kind` is the kind of read
    that the check reports. If the calls cannot be interpreted, `guess` decides by the code alone.
    """

    kind = ""

    def applies_to(self, target: str, method: str) -> bool:
        return target in SETTING or method in CHANGING

    def visit_set_attribute(self, attribute: SetAttribute) -> Iterator[Hit]:
        outlives = isinstance(attribute.base, ClassValue) or outlives_call(attribute.base)
        if outlives and not _is_object(attribute.value) and (attribute.augmented or _may_vary(attribute)):
            yield from self._hits(attribute, attribute.value)

    def visit_rebind(self, rebind: Rebind) -> Iterator[Hit]:
        yield from self._hits(rebind, rebind.value)

    def visit_index(self, index: Index) -> Iterator[Hit]:
        if index.use in ("store", "augment") and is_old(index.base, index):
            yield from self._hits(index, index.index)

    def visit_call(self, call: Call) -> Iterator[Hit]:
        if is_old(call.owner, call) or (call.target in SETTING and not _takes_new(call)):
            yield from self._hits(call, call.args[0] if call.args else None)

    def _hits(self, event: Event, value: Value | None) -> Iterator[Hit]:
        if isinstance(event, Rebind) and event.frame.interp.facts.does("guards reads") and not _is_used(event):
            return
        result = verdict(event)
        if result and result == self.kind:
            if not self.is_reset(event):
                yield Hit(event.node)
        elif not result and has_size(value) and verdict(event, varies_sizes=True) == self.kind:
            yield Hit(event.node, target="size")
        elif not result:
            yield from self.guess(event) if result is None else self.cleared(event)

    def visit_repeated_compile(self, compiled: RepeatedCompile) -> Iterator[Hit]:
        if compiled.kind == self.kind:
            text = f"`{{source}}` compiles again for each value that the loop at {compiled.loop} sets"
            yield Hit(compiled.node, text if compiled.loop else "")

    def is_reset(self, event: Event) -> bool:
        """Whether other code resets the state, after an unknown number of calls."""
        return False

    def guess(self, event: Event) -> Iterator[Hit]:
        """The result of the code alone for an event."""
        yield from ()

    def cleared(self, event: Event) -> Iterator[Hit]:
        """The message for calls that compile only a few times."""
        yield from ()


class CounterAttribute(ChangingState, Check):
    """A Python number that outlives the call and is another one at the next: `self.steps += 1`, `COUNTS["calls"] += 1`.

    So is a global, an attribute of a class, and one that the loop which calls the module sets.
    """

    kind = NUMBER

    def guess(self, event: Event) -> Iterator[Hit]:
        if isinstance(event, SetAttribute):
            is_traced = not isinstance(event.base, ClassValue) or event.frame.interp.facts.does("stores in classes")
            if event.augmented and is_traced and not _is_tested(event):
                yield from _counter_hits(event.node, event.value)
        elif isinstance(event, Rebind):
            if event.augmented:
                yield from _counter_hits(event.node, event.value)
        elif isinstance(event, Index):
            yield from self._guess_item(event)

    def cleared(self, event: Event) -> Iterator[Hit]:
        yield from (hit for hit in self.guess(event) if hit.message == TWICE)

    def _guess_item(self, index: Index) -> Iterator[Hit]:
        container = index.node.value
        if index.use != "augment" or not isinstance(container, ast.Attribute) or not isinstance(index.index, Const):
            return
        owner = index.frame.interp.values.get(container.value)
        count = index.base.get(index.index) if isinstance(index.base, Dict) else None
        if isinstance(index.base, Sequence) and index.base.kind == "list":
            count = index.base.element
        if count is not None and outlives_call(owner):
            yield from _counter_hits(index.node, count)


def _is_tested(attribute: SetAttribute) -> bool:
    """Whether a store is under a test of its own value, as in `if self.steps < 3: self.steps += 1`."""
    function = attribute.frame.function
    branches = function.nodes.of(ast.If) if function is not None else []
    enclosing = (branche.test for branche in branches if any(part is attribute.node for part in walk(branche)))
    parts = (part for test in enclosing for part in walk(test))
    return any(isinstance(part, ast.Attribute) and part.attr == attribute.name for part in parts)


def _may_vary(attribute: SetAttribute) -> bool:
    """Whether a store may matter at the next call: another value each time, of an attribute that code reads."""
    if isinstance(attribute.value, Const):
        return False
    module = attribute.frame.module
    return attribute.name in module.derive(_Loaded, lambda: _Loaded(_loaded(module.tree)))


def _is_object(value: Value) -> bool:
    """Whether a value is surely a tensor, a function or an instance, which no guard compares by its contents."""
    return all(isinstance(option, (Tensor, Function, Instance)) or option is NONE for option in options(value))


class _Loaded(frozenset[str]):
    """The names of the attributes that code of a file reads."""


def _loaded(tree: ast.AST) -> Iterator[str]:
    return (item.attr for item in walk(tree) if isinstance(item, ast.Attribute) and isinstance(item.ctx, ast.Load))


def _takes_new(call: Call) -> bool:
    """Whether an argument is created for this call: `next(iter(...))`, `next(name for name in names)`."""
    result = (ast.Call, ast.GeneratorExp)
    return isinstance(call.node, ast.Call) and bool(call.node.args) and isinstance(call.node.args[0], result)


def has_size(value: Value | None) -> bool:
    """Whether a value is a size of a tensor, or a key with one."""
    parts = value.items if isinstance(value, Tuple) else (value,)
    return any(isinstance(part, Size) for part in parts)


def _counter_hits(node: ast.expr, value: Value) -> Iterator[Hit]:
    """The finding for a place that is updated with a Python number that Dynamo holds as a constant."""
    kind = constant_kind(value) if isinstance(value, (Const, Static)) else ""
    if kind in ("int", "float"):
        yield Hit(node, TWICE if kind == "float" else "")


def _is_used(rebind: Rebind) -> bool:
    """Whether the function does more with a global than count it."""
    function = rebind.frame.function
    if function is None:
        return False
    reads = function.derive(_reads)[rebind.name]
    return reads > 1 or (reads == 1 and not _reads_itself(function, rebind))


def _reads(function: FunctionInfo) -> Counter[str]:
    """How often a function reads each name."""
    return Counter(item.id for item in function.nodes.of(ast.Name) if isinstance(item.ctx, ast.Load))


def _reads_itself(function: FunctionInfo, rebind: Rebind) -> bool:
    """Whether the statement that binds a name computes the value with it: `n = n + 1`."""
    return any(
        isinstance(item.value, ast.BinOp) and any(getattr(part, "id", "") == rebind.name for part in walk(item.value))
        for item in function.nodes.of(ast.Assign)
        if rebind.node in item.targets
    )


def outlives_call(owner: Value | None) -> TypeGuard[Instance]:
    """Whether an object outlives the call; traced code creates new objects in every call."""
    return isinstance(owner, Instance) and owner.outside
