"""Members that classes of the project define: methods, bound to their owner, and values of the class body."""

from __future__ import annotations

import ast
from typing import Final

from breaklint.interp.annotations import from_annotation
from breaklint.interp.callables import ClassValue, Function
from breaklint.interp.events import Call
from breaklint.interp.frame import AbstractInterpreter, Frame
from breaklint.interp.lattice import UNKNOWN, Value, join_all
from breaklint.interp.objects import Instance
from breaklint.interp.transfer import class_decorators, decorators, registrations
from breaklint.interp.values import NONE, Const, Static, Tensor
from breaklint.project.module import ClassInfo, FunctionInfo
from breaklint.project.walking import dotted_name


def member(frame: Frame, base: Instance, name: str) -> Value | None:
    """The definition of a name in the classes of an instance, None if the project has none."""
    cls = frame.interp.project.definer(base.cls, name)
    if cls is None:
        return None
    if name in cls.methods:
        replacement = class_decorators.replaced_method(frame.interp, base.cls, name, base)
        return replacement or bound_method(frame, cls.methods[name], base)
    if name in cls.attributes:
        value = value_in_body(frame, cls, name, base)
        if isinstance(value, Instance) and (getter := frame.interp.project.method(value.cls, "__get__")) is not None:
            return frame.interp.call(frame, Function(getter, value), [base, ClassValue(base.cls)], {})
        return value
    return from_annotation(frame.interp, cls.module, cls.annotations[name]) or UNKNOWN


def value_in_body(frame: Frame, cls: ClassInfo, name: str, owner: Instance | None) -> Value:
    """The value of an assignment in a class body, for its instance `owner` (None: for the class).

    A function becomes a method, unless it is the argument of `staticmethod(...)`.
    """
    node = cls.attributes[name]
    is_static = isinstance(node, ast.Call) and dotted_name(node.func) == "staticmethod" and len(node.args) == 1
    function = node.args[0] if is_static and isinstance(node, ast.Call) else node
    if isinstance(function, ast.Name) and function.id in cls.methods:  # another method's name
        if owner is not None and not is_static:
            return bound_method(frame, cls.methods[function.id], owner)
        return Function(cls.methods[function.id])
    value = frame.interp.global_value(cls.module, function)
    registrations.fill(frame.interp, cls.module, cls.attributes, function, value)
    if isinstance(value, Function) and owner is not None and not is_static:
        return Function(value.info, owner, value.closure, value.defaults)
    if isinstance(value, Function) or frame.interp.is_driving:  # driver code uses the default of a setting
        return value
    is_fixed = _is_final(cls, name) or (owner is not None and _is_overridden(frame.interp, owner.cls, name))
    return frame.read(value if is_fixed else widened_default(value))


def _is_final(cls: ClassInfo, name: str) -> bool:
    """Whether an attribute of a class has the annotation `Final`."""
    kind = cls.annotations.get(name)
    return (dotted_name(kind.value if isinstance(kind, ast.Subscript) else kind) or "").endswith("Final")


def _is_overridden(interp: AbstractInterpreter, cls: ClassInfo, name: str) -> bool:
    """Whether several classes of a hierarchy declare an attribute: it is a property of the class, no setting."""
    bases = (base for base in interp.project.mro(cls) if isinstance(base, ClassInfo))
    return sum(base.defines(name) for base in bases) > 1


def as_graph_input(value: Value) -> Value:
    """The value read from a module: a tensor is an input of the graph."""
    if isinstance(value, Tensor) and not value.role:
        return Tensor(value.dtype, value.ndim, value.assumed, "attribute", value.sizes)
    return value


def widened_default(value: Value) -> Value:
    """A class-level constant, widened if it is a flag or None: instances may have another value."""
    if value == NONE:
        return UNKNOWN
    return Static("bool") if isinstance(value, Const) and isinstance(value.value, bool) else value


LOCKING: Final = "functools.cached_property.lock"


def bound_method(frame: Frame, method: FunctionInfo, owner: Value) -> Value:
    """A method of a class as an attribute of `owner`; the value of a property."""
    if not method.decorators:
        return Function(method, owner)
    if method.is_staticmethod:
        return Function(method)
    if method.is_classmethod:
        return Function(method, ClassValue(owner.cls) if isinstance(owner, Instance) else owner)
    kinds = {dotted_name(d.func if isinstance(d, ast.Call) else d) or "" for d in method.decorators}
    if any(kind.rpartition(".")[2] == "abstractmethod" for kind in kinds) and isinstance(owner, Instance):
        overriding = _overriding(frame, method, owner)
        if overriding is not None:
            return overriding
    bound = decorators.bound(decorators.decorated(frame.interp, method), owner) or Function(method, owner)
    names = {kind.rpartition(".")[2] for kind in kinds}
    if isinstance(owner, Instance) and not names.isdisjoint(("property", "cached_property", "lazy_property")):
        _note_lock(frame, method, kinds, owner)
        return frame.interp.call(frame, bound, [], {})
    return bound


def _note_lock(frame: Frame, method: FunctionInfo, kinds: set[str], owner: Instance) -> None:
    """Emit the call of the lock that a cached property takes before Python 3.12."""
    node, project = frame.implicit, frame.interp.project
    if not frame.context.traced or node is None or not 0 < project.python < 12:
        return
    if any(project.resolve(method.module, kind) == "functools.cached_property" for kind in kinds):
        frame.emit(Call(node, frame, LOCKING, [owner], {}))


def _overriding(frame: Frame, method: FunctionInfo, owner: Instance) -> Value | None:
    """The methods of subclasses in the same file that override an abstract method of any instance."""
    name, interp = method.name.rpartition(".")[2], frame.interp
    if interp.any_instance(interp, owner.cls) is not owner:
        return None
    below = [cls for cls in method.module.classes if name in cls.methods and owner.cls in interp.project.mro(cls)[1:]]
    return join_all([bound_method(frame, cls.methods[name], interp.any_instance(interp, cls)) for cls in below])
