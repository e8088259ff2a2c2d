"""Reads of one function whose value differs at every call, and that a guard of Dynamo compares.

Measured on torch 2.13 (docs/recompiles.md): a number of a module, class or global is compared by value. A number of an
argument becomes dynamic, unless an operation specializes it. Strings and the forms of containers are compared.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from breaklint.interp.call_log import NEW_CALLS, CallLog, Change, Place
from breaklint.interp.callables import ClassValue, Function
from breaklint.interp.containers import Container
from breaklint.interp.events import SetAttribute
from breaklint.interp.lattice import UNKNOWN, options
from breaklint.interp.models.torch_names import NN_BUFFER
from breaklint.interp.objects import Instance
from breaklint.interp.signatures import signature_of
from breaklint.interp.values import Tensor
from breaklint.project.binding import SETTER
from breaklint.project.syntax import is_literal, keyword_of

NUMBER: Final = "number"
CONTENTS: Final = "contents"
STATIC_SIZES: Final = frozenset(("parameter", "buffer", NN_BUFFER))
"""The roles of tensors of which Dynamo compares all sizes: those of others become dynamic."""


class Read(NamedTuple):
    """A guarded expression whose value never repeats; `kind` states whether it is a number.

    `changes` are the events in the compiled code that change it.
    """

    node: ast.expr
    kind: str
    changes: tuple[Change, ...]


def never_repeating(logs: Sequence[CallLog]) -> list[Read]:
    """The guarded expressions whose values are new in each of the last calls."""
    if len(logs) <= NEW_CALLS or not all(log.is_whole for log in logs):
        return []
    last = logs[-1]
    scope = _Scope(last)
    return [
        Read(node, kind, tuple(_changes(last, places)))
        for node in last.values.keys_of
        if isinstance(node, ast.expr) and _is_new(logs, node)
        for kind, places in _guarded(last, node, scope)
    ]


def _is_new(logs: Sequence[CallLog], node: ast.AST) -> bool:
    """Whether the value in each of the last calls differs from those of all calls before."""
    keys = [log.keys(node) for log in logs]
    ends = range(len(keys) - NEW_CALLS, len(keys))
    return all(keys[end] is not None and keys[end] not in keys[:end] for end in ends)


def _changes(log: CallLog, places: Sequence[Place]) -> Iterator[Change]:
    for change, changed in log.changes:
        pairs = ((mine, other) for mine in places for other in changed)
        if not _is_of_setter(change) and any(mine[0] is other[0] and mine[1] == other[1] for mine, other in pairs):
            yield change


def _is_of_setter(change: Change) -> bool:
    """Whether a change is the store in the setter of a property: the store to the property itself counts."""
    function = change.frame.function
    is_setter = function is not None and function.name.endswith(SETTER)
    return is_setter and isinstance(change, SetAttribute) and not change.augmented


class _Scope:
    """The names of a function that come from outside of it."""

    def __init__(self, log: CallLog) -> None:
        self.info, self.closure = log.function.info, log.function.closure
        self._free: set[ast.Name] | None = None
        self._inputs: set[ast.Name] = set()
        self.is_static = any(is_literal(keyword_of(each, "dynamic"), False) for each in self.info.decorators)

    def is_free(self, node: ast.Name) -> bool:
        """Whether a name is bound in the file or in an enclosing function."""
        self._look()
        return node in (self._free or ())

    def is_parameter(self, node: ast.Name) -> bool:
        """Whether a name is a parameter of the called function."""
        self._look()
        return node in self._inputs

    def is_global(self, node: ast.Name) -> bool:
        """Whether a name is bound in the file."""
        names = self.info.module
        closed = self.closure is not None and self.closure.lookup(node.id) is not None
        return self.is_free(node) and not closed and (node.id in names.names or node.id in names.rebound)

    def _look(self) -> None:
        if self._free is not None:
            return
        self._free = set()
        infos = [*self.info.module.functions.values(), self.info]
        for info in infos:
            nodes = info.nodes.of(ast.Name)
            declared = {name for each in info.nodes.of(ast.Global) for name in each.names}
            declared |= {name for each in info.nodes.of(ast.Nonlocal) for name in each.names}
            bound = {each.id for each in nodes if not isinstance(each.ctx, ast.Load)} - declared
            bound |= {*signature_of(info).keywords}
            self._free.update(each for each in nodes if each.id not in bound)
        names = signature_of(self.info).keywords
        targets = {each.id for each in self.info.nodes.of(ast.Name) if not isinstance(each.ctx, ast.Load)}
        self._inputs = {each for each in self.info.nodes.of(ast.Name) if each.id in names and each.id not in targets}


def _guarded(log: CallLog, node: ast.expr, scope: _Scope) -> Iterator[tuple[str, list[Place]]]:
    """The kinds by which guards compare an expression, each with the containers that it reads."""
    kind = log.kind(node)
    owned = [*_places(log, node)]
    places = [*owned, *((option, "") for option in options(log.values[node]) if isinstance(option, Container))]
    free = isinstance(node, ast.Name) and scope.is_free(node)
    is_input = isinstance(node, ast.Name) and scope.is_parameter(node)
    if isinstance(node, ast.Name):
        places = [*places, (scope.info.module, node.id)] if free else places if is_input else []
    if kind in ("int", "float"):
        is_compared = any(place[0] not in log.inputs for place in owned) or (
            isinstance(node, ast.Name) and scope.is_global(node)
        )
        if node in log.fixing or (kind == "int" and (is_compared or (is_input and scope.is_static))):
            yield NUMBER, places
    elif kind == "tensor":
        is_static_tensor = isinstance(value := log.values[node], Tensor) and value.role in STATIC_SIZES
        if node in log.fixing or (is_static_tensor and (places or is_input)) or (is_input and scope.is_static):
            yield CONTENTS, places
    elif kind not in ("bool", "NoneType", "") and (places or free or is_input):
        yield CONTENTS, places


def _places(log: CallLog, node: ast.expr) -> Iterator[Place]:
    """The object and attribute, or the container, that an expression reads."""
    if not isinstance(node, (ast.Attribute, ast.Subscript)):
        return
    for base in options(log.values.get(node.value, UNKNOWN)):
        if isinstance(node, ast.Attribute) and isinstance(base, (Instance, ClassValue, Function)) and log.is_old(base):
            yield base, node.attr
        elif isinstance(node, ast.Subscript) and isinstance(base, Container) and log.is_old(base):
            yield base, ""
