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
    interp = frame.interp
    objects = [option for option in options(value) if _kinds_of(interp, option)]
    if not objects:
        return  # as nearly always
    every = [_kinds_of(interp, option) for option in options(without_none(value))]
    if common := every[0].intersection(*every[1:]):
        _emit(frame, node, value, common, again)
        return
    saved, frame.context = frame.context, frame.context.under_condition()
    for option in objects:
        _emit(frame, node, option, _kinds_of(interp, option), again)
    frame.context = saved


def _emit(frame: Frame, node: ast.expr, value: Value, kinds: frozenset[str], again: bool) -> None:
    earlier = NONE if again else frozenset(kind for kind in kinds if mark(frame, kind))
    frame.emit(ObjectAccess(node, frame, value, kinds, earlier))


def _kinds_of(interp: AbstractInterpreter, option: Value) -> frozenset[str]:
    """The kinds of object that a value is which is no Union."""
    kind = type(option)
    if kind is Instance:
        table = interp.memo(_Kinds)
        cls = option.cls  # type: ignore[attr-defined]
        if cls not in table:
            bases = interp.project.external_bases(cls)
            table[cls] = NONE.union(*(interp.event_filter.kinds.get(base, NONE) for base in bases))
        return table[cls]
    if kind is ExternalInstance:
        return interp.event_filter.kinds.get(option.cls, NONE)  # type: ignore[attr-defined]
    return SPARSE if kind is Tensor and option.role == "sparse" else NONE  # type: ignore[attr-defined]


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
