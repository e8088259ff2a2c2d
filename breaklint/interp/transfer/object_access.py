"""Objects that are fetched: Dynamo wraps them where that happens."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from breaklint.interp.events import Use
from breaklint.interp.objects import Instance
from breaklint.interp.values import Object, Tensor, Union, Value

if TYPE_CHECKING:
    from breaklint.interp.frame import Frame
    from breaklint.interp.interpreter import Machine

OBJECTS: Final = frozenset({Object, Instance, Union})


def use(frame: Frame, node: ast.expr, value: Value) -> None:
    """Tell that an object is fetched, if a rule may care: Dynamo wraps it at that line."""
    if not frame.machine.quiet and (type(value) in OBJECTS or (type(value) is Tensor and value.role == "sparse")):
        classes = frame.machine.heard.classes
        if not isinstance(value, (Object, Instance)) or not classes.isdisjoint(classes_of(frame.machine, value)):
            frame.machine.emit(Use(node, frame, value))


def classes_of(machine: Machine, value: Value) -> Iterable[str]:
    """The classes outside the project that an object is an instance of."""
    if isinstance(value, Object):
        return (value.cls,)
    return machine.project.external_bases(value.cls) if isinstance(value, Instance) else ()
