"""Accesses of objects, and the kinds accessed on every earlier path: Dynamo wraps an object at its first access."""

from __future__ import annotations

import ast
from typing import Final

from breaklint.interp.context import UNCERTAIN_BLOCKS
from breaklint.interp.events import ObjectAccess
from breaklint.interp.frame import AbstractInterpreter, Frame
from breaklint.interp.lattice import Union, Value, options
from breaklint.interp.objects import Instance
from breaklint.interp.values import Const, ExternalInstance, Tensor, without_none
from breaklint.project.module import ClassInfo

NONE: Final = frozenset[str]()
SPARSE: Final = frozenset({"sparse"})
OBJECTS: Final = frozenset({ExternalInstance, Instance, Union})


class _Kinds(dict[ClassInfo, frozenset[str]]):
    """By class: the kinds of object that its instances are."""


def emit_access(frame: Frame, node: ast.expr, value: Value, again: bool = False) -> None:
    """Emit the access of an object if a rule needs its kind; with `again` the access counts as the first.

    If options of the value differ in their kinds, the access of each option is conditional.
    """
    if not frame.context.traced:
        return
    if type(value) is Union and not kinds_of(frame.interp, value):
        saved, frame.context = frame.context, frame.context.under_condition()
        for option in options(value):
            emit_access(frame, node, option, again)
        frame.context = saved
        return
    if type(value) in OBJECTS:
        kinds = kinds_of(frame.interp, value)
    else:
        kinds = SPARSE if type(value) is Tensor and value.role == "sparse" else NONE
    if kinds:
        earlier = NONE if again else frozenset(kind for kind in kinds if mark(frame, kind))
        frame.emit(ObjectAccess(node, frame, value, kinds, earlier))


def kinds_of(interp: AbstractInterpreter, value: Value) -> frozenset[str]:
    """The kinds of object that fit all options of a value."""
    by_class = interp.event_filter.kinds
    if isinstance(value, ExternalInstance):
        return by_class.get(value.cls, NONE)
    if isinstance(value, Instance):
        table = interp.memo(_Kinds)
        kinds = table.get(value.cls)
        if kinds is None:
            bases = interp.project.external_bases(value.cls)
            kinds = table[value.cls] = NONE.union(*(by_class.get(base, NONE) for base in bases))
        return kinds
    if isinstance(value, Union):
        option_kinds = [kinds_of(interp, option) for option in options(without_none(value))]
        return option_kinds[0].intersection(*option_kinds[1:])
    return NONE


def mark(frame: Frame, event: str) -> bool:
    """Whether an event is marked on every path from the function's start; marks it.

    A mark is a dotted path in the environment, and therefore remains after a join only if every branch has it. It is
    not a valid name. An event in a block that may not run is not marked.
    """
    path, certain = f"<earlier>.{event}", UNCERTAIN_BLOCKS.isdisjoint(frame.blocks)
    while isinstance(frame.closure, Frame) and frame.closure.function is frame.function:
        frame = frame.closure  # out of comprehensions
    if path in frame.env:
        return True
    if certain:
        frame.env[path] = Const(True)
    return False
