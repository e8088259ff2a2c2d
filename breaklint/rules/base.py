"""What a check is: a small class that listens to some kinds of events and points at nodes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar, NamedTuple

from breaklint.interp.containers import Dict, Sequence, Tuple
from breaklint.interp.events import Event
from breaklint.interp.frame import Frame
from breaklint.interp.lattice import Unknown, Value
from breaklint.interp.objects import Instance
from breaklint.interp.predicates import is_static, is_tensor
from breaklint.interp.values import (
    Array,
    Const,
    ExternalInstance,
    Number,
    Shape,
    Size,
    Tensor,
    constant_kind,
    without_none,
)


class Hit(NamedTuple):
    """A node that a check points at; `message` replaces the card's."""

    node: ast.expr | ast.stmt
    message: str = ""


class Check:
    """Base of checks. `events` are the types it wants to see; `see` is called with each."""

    events: ClassVar[tuple[type[Event], ...]] = ()

    def hears(self, target: str, method: str) -> bool:
        """Whether a call of this function or method could be one: asked once each, so that most calls cost nothing."""
        return True

    def see(self, event: Event) -> Iterator[Hit]:
        """Hits in one event."""
        raise NotImplementedError


def is_first_use(what: str, event: Event) -> bool:
    """Whether nothing on the way to the event has used `what`.

    At the first use of some things Dynamo gives the frame up; later uses are not traced any more. The use is noted
    among the frame's names as a dotted path: after branches such a path holds only when all of them noted it.
    """
    frame, path = event.frame, f"{what}.used"
    while isinstance(frame.closure, Frame) and frame.closure.function is frame.function:
        frame = frame.closure  # out of comprehensions
    used = frame.env.get(path)
    frame.env[path] = Const(True)
    return used is None


def certain_tensor(value: Value) -> Tensor | None:
    """The tensor that a value is for sure, None when it may be something else."""
    value = without_none(value)
    return value if isinstance(value, Tensor) and not value.assumed else None


def has_kind(value: Value, kind: str) -> bool:
    """Whether a value is of a kind that cards name: tensor, number, static, ..."""
    value = without_none(value)
    if kind == "any":
        return True
    if kind in ("tensor", "bool-tensor", "int-tensor", "float-tensor", "sparse-tensor", "parameter", "computed"):
        return isinstance(value, Tensor) and _tensor_kind(value, kind)
    if kind in ("list", "sequence"):
        return isinstance(value, (Sequence, Tuple))
    if kind == "tensors":
        return _holds_tensors(value)
    if kind == "static":
        return is_static(value)
    if kind == "string":
        return constant_kind(value) == "str"
    if kind in ("none", "true", "false"):
        return value == Const({"none": None, "true": True, "false": False}[kind])
    if kind in ("logger", "module"):
        return isinstance(value, (ExternalInstance, Instance)) and _object_kind(value, kind)
    simple = {"number": Number, "size": Size, "ndarray": Array, "unknown": Unknown, "dict": Dict, "shape": Shape}
    return isinstance(value, simple[kind]) if kind in simple else constant_kind(value) == kind


def _tensor_kind(value: Tensor, kind: str) -> bool:
    if kind == "sparse-tensor":
        return value.role == "sparse"
    if kind == "computed":
        return not value.role  # made in the graph: neither an input nor held by a module
    if kind == "parameter":
        return value.role == "parameter"
    return kind == "tensor" or value.dtype == kind.removesuffix("-tensor")


def _object_kind(value: ExternalInstance | Instance, kind: str) -> bool:
    if isinstance(value, ExternalInstance):
        return value.cls.startswith(("logging.", "loguru.") if kind == "logger" else "torch.nn.")
    return kind == "module"


def _holds_tensors(value: Value) -> bool:
    if isinstance(value, Sequence):
        return value.element is not None and is_tensor(value.element)
    return isinstance(value, Tuple) and bool(value.items) and all(is_tensor(item) for item in value.items)
