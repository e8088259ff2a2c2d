"""The log of one of several calls: its values, its changes of older objects, and the values that it specializes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from breaklint.interp import in_turn
from breaklint.interp.callables import Function
from breaklint.interp.containers import Container
from breaklint.interp.events import Call, Index, Loop, Rebind, Repeat, SetAttribute
from breaklint.interp.frame import Event
from breaklint.interp.heap import HeapObject, next_serial
from breaklint.interp.lattice import Value, options
from breaklint.interp.objects import Instance
from breaklint.interp.values import Const, Tensor
from breaklint.project.module import Module

NEW_CALLS: Final = 4  # the last calls: if each has a new value, the value never repeats
CHANGING: Final = frozenset(
    "__iadd__ add append appendleft clear discard extend insert pop popitem popleft remove reverse setdefault sort "
    "update".split()
)
Place = tuple[object, str]  # a container and "", an object and an attribute, a module and a global name
Change = Call | Index | Rebind | SetAttribute


class _Values(dict[ast.AST, Value]):
    """The values of the expressions of one call: their join, and the keys by which Dynamo distinguishes them."""

    def __init__(self) -> None:
        self.keys_of: dict[ast.AST, list[object]] = {}

    def setdefault(self, node: ast.AST, value: Value) -> Value:
        """Like `dict.setdefault`, and record the key of the value."""
        self.keys_of.setdefault(node, []).append(in_turn.key(value))
        return super().setdefault(node, value)


@dataclass
class CallLog:
    """One call: its values, its changes of older objects, and the values that it specializes.

    `inputs` are the objects in arguments or in the closure of the function: Dynamo makes their numbers dynamic.
    """

    function: Function
    inputs: set[HeapObject]
    loop: tuple[Module, ast.stmt] | None
    has_sizes: bool  # whether the call determines the sizes of its arguments
    serial: int = field(default_factory=next_serial)
    values: _Values = field(default_factory=_Values)
    changes: list[tuple[Change, tuple[Place, ...]]] = field(default_factory=list)
    fixing: list[ast.expr] = field(default_factory=list)
    is_whole: bool = True

    def is_old(self, value: Value) -> bool:
        """Whether an object existed before the call."""
        return not isinstance(value, HeapObject) or value.serial < self.serial

    def kind(self, node: ast.AST) -> str:
        """The type of the last value of an expression, if inferred."""
        keys = self.keys(node)
        return str(keys[-1][0]) if keys and isinstance(keys[-1], tuple) else ""

    def keys(self, node: ast.AST) -> tuple[object, ...] | None:
        """The value of an expression at each evaluation; None if it is not inferred."""
        keys = self.values.keys_of.get(node)
        return None if keys is None or None in keys else tuple(keys)


def changed_places(event: Change) -> Iterator[Place]:
    """The places that an event changes."""
    if isinstance(event, Rebind):
        yield event.frame.module, event.name
    elif isinstance(event, SetAttribute):
        yield from ((option, event.name) for option in options(event.base) if isinstance(option, Instance))
    elif isinstance(event, Index):
        if event.use in ("store", "augment"):
            yield from ((option, "") for option in options(event.base) if isinstance(option, Container))
    elif event.method in CHANGING and event.owner is not None:
        yield from ((option, "") for option in options(event.owner) if isinstance(option, Container))
    elif event.target == "builtins.next":
        yield from ((option, "") for value in event.args[:1] for option in options(value))
    elif event.target == "builtins.setattr" and len(event.args) > 1 and isinstance(event.args[1], Const):
        yield from ((option, str(event.args[1].value)) for option in options(event.args[0]))


PARTS: Final = frozenset(("split", "unbind"))  # methods that return more tensors for a larger one
# Parameters of torch.nn.functional whose float value Dynamo specializes, with their positions.
_FIXED: Final = {"p": 1, "label_smoothing": 9, "eps": 9}


def specialized(event: Event) -> Iterator[ast.expr]:
    """The expressions whose values an operation specializes: the count of a loop, the index of an item."""
    if isinstance(event, Index) and event.use == "load":
        if any(isinstance(option, (Container, Const)) or not _is_data(option) for option in options(event.base)):
            yield event.node.slice
    elif isinstance(event, Repeat):
        yield from (event.node.left, event.node.right)
    elif isinstance(event, Loop):
        if isinstance(event.iterable, Tensor) and not isinstance(event.node, ast.While):  # one iteration per row
            yield event.node if isinstance(event.node, ast.expr) else event.node.iter
    elif isinstance(event, Call) and isinstance(event.node, ast.Call):
        if event.method in PARTS and isinstance(event.owner, Tensor) and isinstance(event.node.func, ast.Attribute):
            yield event.node.func.value
        keywords = {each.arg: each.value for each in event.node.keywords}
        if event.target == "builtins.range" or event.target.startswith("math."):
            yield from event.node.args
        elif event.target.startswith("torch.nn.functional."):
            for name, place in _FIXED.items():
                yield from (keywords[name],) if name in keywords else event.node.args[place : place + 1]


def _is_data(value: Value) -> bool:
    return type(value).__name__ in ("Tensor", "Array", "Shape", "Unknown")
