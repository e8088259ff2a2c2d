"""Attributes: of tensors, of the project's classes and instances, of names outside the project."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from breaklint.analysis.annotations import declared, from_annotation
from breaklint.analysis.events import GetAttribute, SetAttribute, Use
from breaklint.analysis.module import ClassInfo, FunctionInfo
from breaklint.analysis.project import dotted_name
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
    ClassValue,
    Const,
    Dict,
    Function,
    Instance,
    Method,
    Number,
    Object,
    Sequence,
    Shape,
    Static,
    Super,
    Symbol,
    Tensor,
    Tuple,
    Union,
    Unknown,
    Value,
    each,
    is_tensor,
    join,
    without_none,
)

if TYPE_CHECKING:
    from breaklint.analysis.frame import Frame


def get(frame: Frame, node: ast.expr, base: Value, name: str) -> Value:
    """The value of `base.name`."""
    value = each(without_none(base), lambda option: _get(frame, node, option, name))
    if not frame.machine.quiet:
        frame.machine.emit(GetAttribute(node, frame, base, name, value))
        use(frame, node, value)
    return value


def use(frame: Frame, node: ast.expr, value: Value) -> None:
    """Tell that an object is fetched: Dynamo wraps it at that line."""
    sparse = isinstance(value, Tensor) and value.role == "sparse"
    if sparse or isinstance(value, (Object, Instance, Union)):
        frame.machine.emit(Use(node, frame, value))


def _get(frame: Frame, node: ast.expr, base: Value, name: str) -> Value:
    if isinstance(base, Tensor):
        return of_tensor(base, name, node)
    if isinstance(base, Symbol):
        return of_symbol(frame, base, name)
    if isinstance(base, Instance):
        return of_instance(frame, base, name)
    if isinstance(base, ClassValue):
        return of_class(frame, base, name)
    if isinstance(base, Super):
        return of_super(frame, base, name)
    if isinstance(base, Object):
        return of_object(base, name, node)
    if isinstance(base, Tuple) and name in NAMED_RESULTS and NAMED_RESULTS[name] < len(base.items):
        return base.items[NAMED_RESULTS[name]]
    if isinstance(base, Array):
        return {"shape": Shape(base.ndim), "ndim": Static("int"), "size": Static("int"), "dtype": Static("dtype"),
                "T": base}.get(name) or Method(base, name, node)  # fmt: skip
    if isinstance(base, (Sequence, Dict, Tuple, Shape, Const, Static, Number)):
        return Method(base, name, node)
    return Method(base, name, node) if isinstance(base, Unknown) else UNKNOWN


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
    from breaklint.analysis.expressions import as_value

    qualified = f"{base.name}.{name}"
    if base.name.partition(".")[0] in ("torch", "numpy", "builtins", "math"):
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
    return base.get("*") or UNKNOWN  # set under a name that is not known: `setattr(self, f"conv{i}", ...)`


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
            if isinstance(bound, Function) and bound.owner is base and not _is_classmethod(method)
            else bound
        )
    for cls in project.mro(base.info):
        if isinstance(cls, ClassInfo) and name in cls.attributes:
            return loosened(frame.machine.global_value(cls.module, cls.attributes[name]))
    if name == "apply" and is_autograd_function(frame, base.info):
        return Method(base, "apply")
    return Static("str") if name in ("__name__", "__qualname__", "__module__") else UNKNOWN


def _is_classmethod(method: FunctionInfo) -> bool:
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
    if not (isinstance(base, Tensor) and path and frame.env.get(path) == Const(True)):
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
