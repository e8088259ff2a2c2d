"""Attributes: of tensors, of the project's classes and instances, of names outside the project."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from breaklint.analysis.annotations import declared, from_annotation
from breaklint.analysis.callables import ClassValue, Function, Method, Super
from breaklint.analysis.containers import Dict, Sequence
from breaklint.analysis.events import GetAttribute, SetAttribute, Use
from breaklint.analysis.joining import each, join, without_none
from breaklint.analysis.module import ClassInfo, FunctionInfo
from breaklint.analysis.names import as_value
from breaklint.analysis.objects import Instance
from breaklint.analysis.project import dotted_name
from breaklint.analysis.summaries import is_tensor
from breaklint.analysis.torch_names import (
    BUFFERS,
    CONSTANTS,
    CONTEXT,
    MODULE_METHODS,
    MODULE_SETTINGS,
    NAMED_RESULTS,
    TENSOR_STATIC,
    TENSOR_TENSORS,
    WEIGHTS,
)
from breaklint.analysis.values import (
    NONE,
    UNKNOWN,
    Array,
    Const,
    Number,
    Object,
    Shape,
    Static,
    Symbol,
    Tensor,
    Tuple,
    Union,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from breaklint.analysis.frame import Frame
    from breaklint.analysis.machine import Machine


OUTSIDE = frozenset({"torch", "numpy", "builtins", "math"})


def get(frame: Frame, node: ast.expr, base: Value, name: str) -> Value:
    """The value of `base.name`."""
    machine, some = frame.machine, without_none(base)
    value = (
        each(some, lambda option: _get(frame, node, option, name))
        if type(some) is Union
        else _get(frame, node, some, name)
    )
    if not machine.quiet:
        if name in machine.heard.attributes:
            machine.emit(GetAttribute(node, frame, base, name, value))
        use(frame, node, value)
    return value


def use(frame: Frame, node: ast.expr, value: Value) -> None:
    """Tell that an object is fetched, if a rule may care: Dynamo wraps it at that line."""
    if not frame.machine.quiet and (type(value) in OBJECTS or (type(value) is Tensor and value.role == "sparse")):
        classes = frame.machine.heard.classes
        if not isinstance(value, (Object, Instance)) or not classes.isdisjoint(classes_of(frame.machine, value)):
            frame.machine.emit(Use(node, frame, value))


OBJECTS = frozenset({Object, Instance, Union})


def classes_of(machine: Machine, value: Value) -> Iterable[str]:
    """The classes outside the project that an object is an instance of."""
    if isinstance(value, Object):
        return (value.cls,)
    return machine.project.external_bases(value.cls) if isinstance(value, Instance) else ()


def _get(frame: Frame, node: ast.expr, base: Value, name: str) -> Value:
    found = _OF.get(type(base))
    return UNKNOWN if found is None else found(frame, base, name, node)


def of_tensor(base: Tensor, name: str, node: ast.expr) -> Value:
    """An attribute of a tensor."""
    if name == "shape":
        return Shape(base.ndim)
    if name in TENSOR_STATIC:
        return Const(base.ndim) if name == "ndim" and base.ndim is not None else Static(TENSOR_STATIC[name])
    if name in TENSOR_TENSORS:
        return Tensor(base.dtype if name not in ("real", "imag") else "float", base.ndim, base.assumed)
    if name == "grad_fn":
        return UNKNOWN
    return Method(base, name, node)


def of_symbol(frame: Frame, base: Symbol, name: str) -> Value:
    """An attribute of a module, class or function outside the project, or of a module of the project."""
    qualified = f"{base.name}.{name}"
    if base.name.partition(".")[0] in OUTSIDE:
        return CONSTANTS.get(qualified) or Symbol(qualified)
    return as_value(frame.machine, frame.machine.project.lookup(qualified))


def of_instance(frame: Frame, base: Instance, name: str) -> Value:
    """An attribute of an instance of a class of the project."""
    stored = base.get(name)
    if isinstance(stored, Union):
        for cls in frame.machine.project.mro(base.cls):
            if isinstance(cls, ClassInfo) and name in cls.annotations:
                stored = declared(frame.machine, cls.module, cls.annotations[name], stored)
                break
    if stored is not None:
        return sourced(stored) if not frame.machine.quiet else stored
    project = frame.machine.project
    method = project.method(base.cls, name)
    if method is not None:
        return _bound(frame, method, base)
    for cls in project.mro(base.cls):
        if isinstance(cls, ClassInfo) and name in cls.attributes:
            value = frame.machine.global_value(cls.module, cls.attributes[name])
            return Function(value.info, base) if isinstance(value, Function) else loosened(value)
        if isinstance(cls, ClassInfo) and name in cls.annotations:
            return from_annotation(frame.machine, cls.module, cls.annotations[name]) or UNKNOWN
    return _of_base(frame, base, name)


def sourced(value: Value) -> Value:
    """A tensor fetched from a module is an input of the graph."""
    if isinstance(value, Tensor) and not value.role:
        return Tensor(value.dtype, value.ndim, value.assumed, "attribute")
    return value


def loosened(value: Value) -> Value:
    """A class-level or default constant: a switch or None there says little, instances differ."""
    if value == NONE:
        return UNKNOWN
    return Static("bool") if isinstance(value, Const) and isinstance(value.value, bool) else value


def _bound(frame: Frame, method: FunctionInfo, owner: Value) -> Value:
    kinds = {dotted_name(d.func if isinstance(d, ast.Call) else d) or "" for d in method.decorators}
    if "staticmethod" in kinds:
        return Function(method)
    if "classmethod" in kinds:
        return Function(method, ClassValue(owner.cls) if isinstance(owner, Instance) else owner)
    bound = Function(method, owner)
    if isinstance(owner, Instance) and any(
        kind.rpartition(".")[2] in ("property", "cached_property", "lazy_property") for kind in kinds
    ):
        return frame.machine.call(bound, [], {}, frame.depth + 1)
    return bound


def _of_base(frame: Frame, base: Instance, name: str) -> Value:
    """An attribute that the project does not define: from torch's own classes among the bases, if at all."""
    bases = frame.machine.project.external_bases(base.cls)
    if name == "training":
        return Static("bool")
    for outside in bases:
        if outside.startswith("torch."):
            found = of_object(Object(outside), name, None)
            if not isinstance(found, Unknown):
                return Method(base, name) if isinstance(found, Method) else found
    loose = base.get("*")  # set under a name that is not known: `setattr(self, f"conv{i}", ...)`
    return base.attrs.get(name) or loose or UNKNOWN


def of_object(base: Object, name: str, node: ast.expr | None) -> Value:
    """An attribute of an object of a class outside the project."""
    if base.cls == CONTEXT and name in ("saved_tensors", "saved_variables"):
        return Sequence(Tensor(), kind="tuple")
    if base.cls.startswith("torch.nn."):
        if name in WEIGHTS:
            return Tensor("float", None, role="parameter")
        if name in BUFFERS:
            return Tensor(BUFFERS[name], None, role="buffer")
        if name in MODULE_METHODS or name.startswith("register_"):
            return Method(base, name, node)
        return Static("bool") if name == "training" else Static("") if name in MODULE_SETTINGS else UNKNOWN
    return Method(base, name, node)


def of_class(frame: Frame, base: ClassValue, name: str) -> Value:
    """An attribute of a class of the project."""
    project = frame.machine.project
    method = project.method(base.info, name)
    if method is not None:
        bound = _bound(frame, method, base)
        return (
            Function(method)
            if isinstance(bound, Function) and bound.owner is base and not is_classmethod(method)
            else bound
        )
    for cls in project.mro(base.info):
        if isinstance(cls, ClassInfo) and name in cls.attributes:
            return loosened(frame.machine.global_value(cls.module, cls.attributes[name]))
    if name == "apply" and is_autograd_function(frame, base.info):
        return Method(base, "apply")
    return Static("str") if name in ("__name__", "__qualname__", "__module__") else UNKNOWN


def is_classmethod(method: FunctionInfo) -> bool:
    """Whether a method is called with its class."""
    return any(dotted_name(d) == "classmethod" for d in method.decorators)


def is_autograd_function(frame: Frame, cls: ClassInfo) -> bool:
    """Whether a class derives from torch.autograd.Function."""
    return any(
        base in ("torch.autograd.Function", "torch.autograd.function.Function")
        for base in frame.machine.project.external_bases(cls)
    )


def of_super(frame: Frame, base: Super, name: str) -> Value:
    """`super().name`: from what follows the class in the owner's MRO."""
    owner = base.owner
    cls = owner.cls if isinstance(owner, Instance) else owner.info if isinstance(owner, ClassValue) else base.cls
    method = frame.machine.project.method(cls, name, after=base.cls)
    if method is not None:
        return _bound(frame, method, owner)
    return Method(owner, name) if isinstance(owner, Instance) else UNKNOWN


def store(frame: Frame, target: ast.Attribute, value: Value, augmented: bool) -> None:
    """`base.name = value`."""
    base = frame.eval(target.value)
    path = dotted_name(target)
    # `if t.requires_grad: t.requires_grad = False` runs only for the tensors that need it, which few calls have.
    if not frame.machine.quiet and not (isinstance(base, Tensor) and path and frame.env.get(path) == Const(True)):
        frame.machine.emit(SetAttribute(target, frame, base, target.attr, value, augmented))
    if isinstance(base, Instance):
        put(base, target.attr, value, strong=bool(frame.machine.quiet) and not frame.machine.conditional)
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


def call_dunder(frame: Frame, value: Value, name: str) -> Value:
    """The result of a special method without arguments, Unknown where the project has none."""
    if isinstance(value, Instance):
        method = frame.machine.project.method(value.cls, name)
        if method is not None:
            return frame.machine.call(Function(method, value), [], {}, frame.depth + 1)
    if isinstance(value, Sequence) and value.kind == "generator" and name == "__enter__":
        return value.element or NONE
    if isinstance(value, Object) and value.cls == "contextlib.ExitStack" and name == "__enter__":
        return value
    return UNKNOWN


def _of_row(_frame: Frame, base: Tuple, name: str, node: ast.expr) -> Value:
    place = NAMED_RESULTS.get(name, len(base.items))
    return base.items[place] if place < len(base.items) else Method(base, name, node)


def _of_array(_frame: Frame, base: Array, name: str, node: ast.expr) -> Value:
    if name in ("shape", "T"):
        return Shape(base.ndim) if name == "shape" else base
    plain = {"ndim": "int", "size": "int", "dtype": "dtype"}.get(name)
    return Static(plain) if plain else Method(base, name, node)


def _method(_frame: Frame, base: Value, name: str, node: ast.expr) -> Value:
    return Method(base, name, node)


_OF: dict[type[Value], Callable[[Frame, Any, str, ast.expr], Value]] = {
    Tensor: lambda _frame, base, name, node: of_tensor(base, name, node),
    Symbol: lambda frame, base, name, _node: of_symbol(frame, base, name),
    Instance: lambda frame, base, name, _node: of_instance(frame, base, name),
    ClassValue: lambda frame, base, name, _node: of_class(frame, base, name),
    Super: lambda frame, base, name, _node: of_super(frame, base, name),
    Object: lambda _frame, base, name, node: of_object(base, name, node),
    Tuple: _of_row,
    Array: _of_array,
    **dict.fromkeys((Sequence, Dict, Shape, Const, Static, Number, Unknown), _method),
}
