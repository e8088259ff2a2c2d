"""Python control flow that needs a tensor's data."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from breaklint.interp.containers import Dict, Sequence, Tuple
from breaklint.interp.events import Call, Contains, Truth
from breaklint.interp.iteration import element_of, items_of
from breaklint.interp.lattice import UNKNOWN, Union, Unknown, Value, options
from breaklint.interp.objects import Instance
from breaklint.interp.predicates import is_python_number, is_static, truth
from breaklint.interp.values import (
    NONE,
    Array,
    ExternalInstance,
    Number,
    Tensor,
    constant_kind,
    is_captured,
    without_none,
)
from breaklint.rules.base import Check, Hit
from breaklint.rules.checked_numbers import is_decided
from breaklint.rules.value_kinds import certain_tensor

BRANCHES: Final = ("if", "while", "ifexp", "comprehension")


def reads_data(value: Value, captures: bool = False) -> bool:
    """Whether asking for the truth of a value reads a tensor's (an array's) data; `captures`: numbers read from tensors
    are in the graph."""
    return all(
        certain_tensor(one) is not None or isinstance(one, Array) or is_captured(one, captures)
        for one in options(without_none(value))
    )


class BranchOnTensor(Check):
    """`if`, `elif`, `while`, a conditional expression or a comprehension's condition on a tensor."""

    def visit_truth(self, truth: Truth) -> Iterator[Hit]:
        chained = isinstance(truth.node, ast.Compare) and len(truth.node.ops) > 1  # BoolOpOnTensor reports `a < b < c`
        if truth.kind in BRANCHES and not chained and _is_open(truth):
            yield Hit(truth.node, target="number" if isinstance(without_none(truth.value), Number) else "")


def _is_open(truth: Truth) -> bool:
    """Whether a test reads data, and no `torch._check` before it decides the result."""
    return reads_data(truth.value, truth.frame.interp.captures) and not is_decided(truth)


class AssertOnTensor(Check):
    """`assert` on a tensor. Dynamo turns the plain form with a literal message into an in-graph assert; the others
    break."""

    def visit_truth(self, truth: Truth) -> Iterator[Hit]:
        if truth.kind == "assert" and _is_filled(truth.value) and _is_rewritten(truth):
            yield Hit(truth.node, f"`assert {ast.unparse(truth.node)}` of a container or object is not traced")
        if not reads_data(truth.value):
            return
        inside = truth.kind in ("not", "boolop", "compare") and "assert" in truth.frame.blocks[-1:]
        if inside or (truth.kind == "assert" and not _is_rewritten(truth)):
            yield Hit(truth.node)


def _is_filled(value: Value) -> bool:
    """Whether a value is a container of tensors or objects, or an object: Dynamo takes it for a tensor to assert."""
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


def _is_rewritten(truth: Truth) -> bool:
    """Whether Dynamo rewrites an assertion to torch._assert: `assert t` and `assert t, "literal"`."""
    if "loop" in truth.frame.blocks and not truth.frame.interp.facts.traces("assert-in-loop"):
        return False
    negated = isinstance(truth.node, ast.UnaryOp) and isinstance(truth.node.op, ast.Not)
    statement = _assert_of(truth)
    message = statement.msg if statement is not None else None
    return not negated and (message is None or _is_literal(message))


def _is_literal(message: ast.expr) -> bool:
    """Whether Python's compiler folds the message to one constant."""
    if isinstance(message, ast.BinOp):
        return isinstance(message.op, ast.Add) and _is_literal(message.left) and _is_literal(message.right)
    if isinstance(message, ast.JoinedStr):
        return all(_is_literal(part) for part in message.values)
    if isinstance(message, ast.Tuple):
        return all(_is_literal(part) for part in message.elts)
    return isinstance(message, ast.Constant)


def _assert_of(truth: Truth) -> ast.Assert | None:
    """The statement whose test it is."""
    function = truth.frame.function
    asserts = function.nodes.of(ast.Assert) if function is not None else ()
    return next((node for node in asserts if node.test is truth.node), None)


class BoolOpOnTensor(Check):
    """`and`, `or`, `not` and chained comparisons, which convert a tensor to a bool."""

    def visit_truth(self, truth: Truth) -> Iterator[Hit]:
        as_condition = truth.kind in ("boolop", "not", "compare") and "assert" not in truth.frame.blocks[-1:]
        if as_condition and _is_open(truth):
            yield Hit(truth.node)


class BuiltinOverTensors(Check):
    """`any`, `all`, `sorted` over tensors: each comparison or truth test reads data. `max`, `min` and `sum` are
    traced."""

    names = frozenset({"builtins.any", "builtins.all", "builtins.sorted"})

    def applies_to(self, target: str, method: str) -> bool:
        return target in self.names

    def visit_call(self, call: Call) -> Iterator[Hit]:
        element = element_of(call.args[0]) if call.args else None
        if element is None or call.kwargs.get("key", NONE) != NONE:
            return
        if _holds_tensors(call.args[0]) or is_captured(element, call.frame.interp.captures) or _tests_item(call):
            yield Hit(call.node)


def _tests_item(call: Call) -> bool:
    """Whether `any` or `all` tests a tensor: the items before it are constants that do not decide the result."""
    decisive = call.target == "builtins.any"
    for item in items_of(call.args[0]) or () if call.target != "builtins.sorted" else ():
        if certain_tensor(item) is not None:
            return True
        if truth(item) is not (not decisive):
            return False
    return False


def _holds_tensors(value: Value) -> bool:
    """Whether every item of an iteration over a value is a tensor."""
    if isinstance(value, Tensor):
        return not value.assumed
    if not isinstance(value, (Sequence, Tuple)):
        return False
    element = element_of(value)
    return element is not None and certain_tensor(element) is not None


def _compares_items(container: Value) -> bool:
    """Whether a search for a tensor compares it with tensors or numbers; a set and a dict compare hashes first."""
    if not isinstance(container, (Sequence, Tuple)) or getattr(container, "kind", "tuple") not in ("list", "tuple"):
        return False
    items = container.items if container.items is not None else [element_of(container) or UNKNOWN]
    return _holds_tensors(container) or any(is_python_number(item) for item in items)


class ContainsTensor(Check):
    """`value in tensor`, `tensor in sequence` of a list or tuple of tensors or numbers, `sequence.index(tensor)`, and a
    random number in a sequence."""

    def applies_to(self, target: str, method: str) -> bool:
        return method in ("index", "remove")

    def visit_call(self, call: Call) -> Iterator[Hit]:
        if call.args and call.owner and certain_tensor(call.args[0]) is not None and _compares_items(call.owner):
            yield Hit(call.node, target="search")

    def visit_contains(self, contains: Contains) -> Iterator[Hit]:
        if constant_kind(contains.item) == "str":
            return  # tensors do not contain strings: the container is a dict
        compares_tensor = certain_tensor(contains.item) is not None and _compares_items(contains.container)
        is_random = is_captured(contains.item, contains.frame.interp.captures)
        is_random = is_random and isinstance(contains.container, (Sequence, Tuple))
        if compares_tensor or is_random or certain_tensor(contains.container) is not None:
            yield Hit(contains.node)
