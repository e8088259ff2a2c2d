"""Attributes that are stored."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from breaklint.interp.events import SetAttribute
from breaklint.interp.lattice import join
from breaklint.interp.memo_key import is_tensor
from breaklint.interp.objects import Instance
from breaklint.interp.values import Const, Tensor, Value
from breaklint.project.walking import dotted_name

if TYPE_CHECKING:
    from breaklint.interp.frame import Frame


def store(frame: Frame, target: ast.Attribute, value: Value, augmented: bool) -> None:
    """`base.name = value`."""
    base = frame.eval(target.value)
    path = dotted_name(target)
    # `if t.requires_grad: t.requires_grad = False` runs only for the tensors that need it, which few calls have.
    if not frame.interp.quiet and not (isinstance(base, Tensor) and path and frame.env.get(path) == Const(True)):
        frame.interp.emit(SetAttribute(target, frame, base, target.attr, value, augmented))
    if isinstance(base, Instance):
        put(base, target.attr, value, strong=bool(frame.interp.quiet) and not frame.interp.conditional)
        if path and path.count(".") == 1:
            frame.env[path] = value


def put(instance: Instance, name: str, value: Value, strong: bool) -> None:
    """Set an attribute: for good while the instance is built, weakly afterwards."""
    old = instance.get(name)
    if strong and not instance.ready:
        if old is not None and is_tensor(value) and isinstance(old, Tensor):
            value = Tensor(value.dtype, value.ndim, value.assumed, old.role) if isinstance(value, Tensor) else value
        instance.attrs[name] = value
    elif not (isinstance(old, Tensor) and old.role and isinstance(value, Tensor)):
        instance.attrs[name] = value if old is None else join(old, value)
