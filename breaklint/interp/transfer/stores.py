"""Stores in attributes."""

from __future__ import annotations

import ast

from breaklint.interp import concrete_torch
from breaklint.interp.callables import ClassValue, Function
from breaklint.interp.events import SetAttribute
from breaklint.interp.frame import AbstractInterpreter, Frame
from breaklint.interp.lattice import Value, options
from breaklint.interp.models import constants
from breaklint.interp.objects import Instance
from breaklint.interp.summaries import forget_paths
from breaklint.interp.values import Const, ExternalInstance, Tensor
from breaklint.project.binding import SETTER
from breaklint.project.module import ClassInfo, FunctionInfo
from breaklint.project.walking import dotted_name


def store_attribute(frame: Frame, target: ast.Attribute, value: Value, augmented: bool) -> None:
    """Store `base.name = value`."""
    base = frame.eval(target.value)
    path = dotted_name(target)
    # `if t.requires_grad: t.requires_grad = False` runs only for tensors that need it, which are rare.
    if frame.context.traced and not (isinstance(base, Tensor) and path and frame.env.get(path) == Const(True)):
        frame.emit(SetAttribute(target, frame, base, target.attr, value, augmented))
    decorating = frame.interp.decorating
    if decorating is not None and isinstance(base, ClassValue) and base.info is decorating[0]:
        decorating[1][target.attr] = value
    if frame.interp.runs_in_turn and isinstance(base, ExternalInstance):
        concrete_torch.store_setting(frame, target, base, value)
    owners = [option for option in options(base) if isinstance(option, Instance)]
    for owner in owners:
        setter = setter_of(frame.interp, owner.cls, target.attr)
        descriptor = _descriptor(frame.interp, owner.cls, target.attr)
        if setter is not None:
            frame.interp.call(frame, Function(setter, owner), [value], {}, node=target)
            path = None
        elif descriptor is not None:
            frame.interp.call(frame, descriptor, [owner, value], {}, node=target)
            path = None
        else:
            put(frame, owner, target.attr, value, sure=len(owners) == 1)
    if owners:
        forget_paths(frame, {(owner, target.attr) for owner in owners})
        if path and path.count(".") == 1:
            frame.env[path] = value


class _HasSetters(dict[ClassInfo, bool]):
    """By class: whether its file, or that of a base, may define the setter of a property."""


def setter_of(interp: AbstractInterpreter, cls: ClassInfo, name: str) -> FunctionInfo | None:
    """The setter of the property `name`, None if there is none."""
    table = interp.memo(_HasSetters)
    has_setters = table.get(cls)
    if has_setters is None:
        above = (base for base in interp.project.mro(cls) if isinstance(base, ClassInfo))
        has_setters = table[cls] = any(base.module.has_setters() for base in above)
    return interp.project.method(cls, name + SETTER) if has_setters else None


def _descriptor(interp: AbstractInterpreter, cls: ClassInfo, name: str) -> Function | None:
    """`__set__` of the descriptor that a class has as an attribute, None if there is none."""
    definer = interp.project.definer(cls, name)
    node = definer.attributes.get(name) if definer is not None else None
    if definer is None or not isinstance(node, ast.Call):
        return None
    value = interp.global_value(definer.module, node)
    method = interp.project.method(value.cls, "__set__") if isinstance(value, Instance) else None
    return None if method is None else Function(method, value)


def put(frame: Frame, instance: Instance, name: str, value: Value, sure: bool = True) -> None:
    """Set an attribute: strongly while the instance is built; weakly afterwards, or if the owner is not `sure`."""
    old, value = instance.stored(name), constants.stored(value)
    if old is None and (not sure or frame.uncertain):
        instance.optional.add(name)
        instance.version += 1
    if sure and is_strong(frame, instance) and name != "*":
        if isinstance(old, Tensor) and isinstance(value, Tensor):
            value = Tensor(value.dtype, value.ndim, value.assumed, old.role, value.sizes)
        frame.change(instance, name, value, strong=True)
    elif not (isinstance(old, Tensor) and old.role and isinstance(value, Tensor)):
        frame.change(instance, name, value)


def is_strong(frame: Frame, instance: Instance) -> bool:
    """Whether a store replaces the old value: in a constructor, without a condition."""
    if frame.interp.runs_in_turn:
        return not frame.uncertain
    return not (frame.context.traced or frame.context.conditional or instance.ready)
