"""Python control flow that needs a tensor's data."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from breaklint.interp.containers import Dict, Sequence, Tuple
from breaklint.interp.events import Call, Contains, Event, Truth
from breaklint.interp.iteration import element_of
from breaklint.interp.lattice import Union, Unknown, Value
from breaklint.interp.objects import Instance
from breaklint.interp.predicates import is_static
from breaklint.interp.values import Array, ExternalInstance, Number, Tensor, constant_kind, without_none
from breaklint.rules.base import Check, Hit, certain_tensor
from breaklint.torchops.facts import release

BRANCHES: Final = ("if", "while", "ifexp", "comprehension")


def reads_data(value: Value) -> bool:
    """Whether asking for the truth of a value reads a tensor's (an array's) data."""
    value = without_none(value)
    return (
        certain_tensor(value) is not None or isinstance(value, Array) or (isinstance(value, Number) and value.symbolic)
    )


class BranchOnTensor(Check):
    """`if`, `elif`, `while`, a conditional expression or a comprehension's condition on a tensor."""

    events = (Truth,)

    def see(self, event: Event) -> Iterator[Hit]:
        assert isinstance(event, Truth)
        chained = isinstance(event.node, ast.Compare) and len(event.node.ops) > 1  # BoolOpOnTensor tells of `a < b < c`
        if event.kind in BRANCHES and not chained and reads_data(event.value):
            yield Hit(event.node)


class AssertOnTensor(Check):
    """`assert` on a tensor. Dynamo turns the plain form with a literal message into an in-graph assert; the others
    break."""

    events = (Truth,)

    def see(self, event: Event) -> Iterator[Hit]:
        assert isinstance(event, Truth)
        if event.kind == "assert" and _is_filled(event.value) and _traces_containers(event):
            yield Hit(event.node, f"`assert {ast.unparse(event.node)}` of a container or object is not traced")
        if not reads_data(event.value):
            return
        inside = event.kind in ("not", "boolop", "compare") and "assert" in event.frame.blocks[-1:]
        if inside or (event.kind == "assert" and not _rewritten(event)):
            yield Hit(event.node)


def _is_filled(value: Value) -> bool:
    """A container of tensors or objects, or an object itself: Dynamo takes it for a tensor to assert."""
    value = without_none(value)
    if isinstance(value, Sequence):
        return value.element is not None and not _is_plain(value.element)
    if isinstance(value, Tuple):
        return any(not _is_plain(item) for item in value.items)
    if isinstance(value, Dict):
        return any(not _is_plain(item) for item in value.items.values())
    return isinstance(value, (ExternalInstance, Instance))


def _is_plain(value: Value) -> bool:
    return isinstance(value, (Unknown, Union)) or is_static(value)


def _traces_containers(event: Truth) -> bool:
    return release(event.frame.interp.facts.version) >= (2, 13)  # measured there


def _rewritten(event: Truth) -> bool:
    """Dynamo rewrites `assert t` and `assert t, "literal"` to torch._assert (measured on 2.11 and 2.13)."""
    if "loop" in event.frame.blocks and release(event.frame.interp.facts.version) < (2, 13):
        return False
    statement = _assert_of(event)
    simple = not isinstance(event.node, (ast.BoolOp, ast.UnaryOp)) or not isinstance(
        getattr(event.node, "op", None), ast.Not
    )
    message = statement.msg if statement is not None else None
    return simple and (message is None or _is_literal(message))


def _is_literal(message: ast.expr) -> bool:
    """Whether Python's compiler makes one constant of it."""
    if isinstance(message, ast.BinOp):
        return isinstance(message.op, ast.Add) and _is_literal(message.left) and _is_literal(message.right)
    if isinstance(message, ast.JoinedStr):
        return all(_is_literal(part) for part in message.values)
    if isinstance(message, ast.Tuple):
        return all(_is_literal(part) for part in message.elts)
    return isinstance(message, ast.Constant)


def _assert_of(event: Truth) -> ast.Assert | None:
    function = event.frame.function
    if function is None:
        return None
    for node in ast.walk(function.node):
        if isinstance(node, ast.Assert) and node.test is event.node:
            return node
    return None


class BoolOpOnTensor(Check):
    """`and`, `or`, `not` and chained comparisons, which ask a tensor for its truth."""

    events = (Truth,)

    def see(self, event: Event) -> Iterator[Hit]:
        assert isinstance(event, Truth)
        asked = event.kind in ("boolop", "not", "compare") and "assert" not in event.frame.blocks[-1:]
        if asked and reads_data(event.value):
            yield Hit(event.node)


class BuiltinOverTensors(Check):
    """`any`, `all`, `sorted` over tensors: each comparison or truth test reads data. `max`, `min` and `sum` are
    traced."""

    events = (Call,)
    names = frozenset({"builtins.any", "builtins.all", "builtins.sorted"})

    def hears(self, target: str, method: str) -> bool:
        return target in self.names

    def see(self, event: Event) -> Iterator[Hit]:
        assert isinstance(event, Call)
        if event.target in self.names and event.args and _of_tensors(event.args[0]):
            yield Hit(event.node)


def _of_tensors(value: Value) -> bool:
    if isinstance(value, Tensor):
        return not value.assumed
    if not isinstance(value, (Sequence, Tuple)):
        return False
    element = element_of(value)
    return element is not None and certain_tensor(element) is not None


class ContainsTensor(Check):
    """`value in tensor`, and a tensor looked for in a row of tensors."""

    events = (Contains,)

    def see(self, event: Event) -> Iterator[Hit]:
        assert isinstance(event, Contains)
        if constant_kind(event.item) == "str":
            return  # no tensor holds text: what looks like one is a dict
        if certain_tensor(event.container) is not None or (
            certain_tensor(event.item) is not None and _of_tensors(event.container)
        ):
            yield Hit(event.node)
