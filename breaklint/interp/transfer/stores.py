"""Attributes that are stored."""

from __future__ import annotations

import ast

from breaklint.interp.events import SetAttribute
from breaklint.interp.frame import Frame
from breaklint.interp.lattice import Value, options
from breaklint.interp.objects import Instance
from breaklint.interp.summaries import forget_paths
from breaklint.interp.values import Const, Tensor
from breaklint.project.walking import dotted_name


def store_attribute(frame: Frame, target: ast.Attribute, value: Value, augmented: bool) -> None:
    """Store `base.name = value`."""
    base = frame.eval(target.value)
    path = dotted_name(target)
    # `if t.requires_grad: t.requires_grad = False` runs only for the tensors that need it, which few calls have.
    if frame.context.traced and not (isinstance(base, Tensor) and path and frame.env.get(path) == Const(True)):
        frame.emit(SetAttribute(target, frame, base, target.attr, value, augmented))
    owners = [option for option in options(base) if isinstance(option, Instance)]
    for owner in owners:
        put(frame, owner, target.attr, value, sure=len(owners) == 1)
    if owners:
        forget_paths(frame, {(owner, target.attr) for owner in owners})
        if path and path.count(".") == 1:
            frame.env[path] = value


def put(frame: Frame, instance: Instance, name: str, value: Value, sure: bool = True) -> None:
    """Set an attribute: for good while the instance is built; weakly afterwards, and when it is not `sure`."""
    old = instance.get(name)
    if sure and is_strong(frame, instance) and name != "*":
        if isinstance(old, Tensor) and isinstance(value, Tensor):
            value = Tensor(value.dtype, value.ndim, value.assumed, old.role)
        frame.change(instance, name, value, strong=True)
    elif not (isinstance(old, Tensor) and old.role and isinstance(value, Tensor)):
        frame.change(instance, name, value)


def is_strong(frame: Frame, instance: Instance) -> bool:
    """Whether a store surely replaces what was there: in a constructor, under no condition."""
    return not (frame.context.traced or frame.context.conditional or instance.ready)
