"""Objects that are fetched: Dynamo wraps them where that happens."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Final

from breaklint.interp.events import ObjectAccess
from breaklint.interp.frame import AbstractInterpreter, Frame
from breaklint.interp.lattice import Union, Value
from breaklint.interp.objects import Instance
from breaklint.interp.values import ExternalInstance, Tensor

OBJECTS: Final = frozenset({ExternalInstance, Instance, Union})


def use(frame: Frame, node: ast.expr, value: Value) -> None:
    """Tell that an object is fetched, if a rule may care: Dynamo wraps it at that line."""
    if frame.traced and (type(value) in OBJECTS or (type(value) is Tensor and value.role == "sparse")):
        classes = frame.interp.wanted.classes
        if not isinstance(value, (ExternalInstance, Instance)) or not classes.isdisjoint(
            classes_of(frame.interp, value)
        ):
            frame.emit(ObjectAccess(node, frame, value))


def classes_of(interp: AbstractInterpreter, value: Value) -> Iterable[str]:
    """The classes outside the project that an object is an instance of."""
    if isinstance(value, ExternalInstance):
        return (value.cls,)
    return interp.project.external_bases(value.cls) if isinstance(value, Instance) else ()
