"""Objects that are fetched: Dynamo wraps them where that happens."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from breaklint.interp.events import ObjectAccess
from breaklint.interp.objects import Instance
from breaklint.interp.values import ExternalInstance, Tensor, Union, Value

if TYPE_CHECKING:
    from breaklint.interp.frame import Frame
    from breaklint.interp.interpreter import Interpreter

OBJECTS: Final = frozenset({ExternalInstance, Instance, Union})


def use(frame: Frame, node: ast.expr, value: Value) -> None:
    """Tell that an object is fetched, if a rule may care: Dynamo wraps it at that line."""
    if not frame.interp.quiet and (type(value) in OBJECTS or (type(value) is Tensor and value.role == "sparse")):
        classes = frame.interp.heard.classes
        if not isinstance(value, (ExternalInstance, Instance)) or not classes.isdisjoint(
            classes_of(frame.interp, value)
        ):
            frame.interp.emit(ObjectAccess(node, frame, value))


def classes_of(interp: Interpreter, value: Value) -> Iterable[str]:
    """The classes outside the project that an object is an instance of."""
    if isinstance(value, ExternalInstance):
        return (value.cls,)
    return interp.project.external_bases(value.cls) if isinstance(value, Instance) else ()
