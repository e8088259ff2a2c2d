"""Attributes: of tensors, of the project's classes and instances, of names outside the project."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, Final

from breaklint.interp.annotations import NAMED_TUPLES, declared
from breaklint.interp.callables import ClassValue, Function, Method, Super
from breaklint.interp.containers import Dict, Sequence, Tuple
from breaklint.interp.events import Call, GetAttribute
from breaklint.interp.frame import Frame
from breaklint.interp.lattice import UNKNOWN, Union, Unknown, Value, join, join_all
from breaklint.interp.models import loggers
from breaklint.interp.models.container_methods import DICT_METHODS
from breaklint.interp.models.instances import as_tensor
from breaklint.interp.models.torch_names import (
    BUFFERS,
    CONSTANTS,
    CONTEXT,
    INNER_MODULES,
    MODULE_METHODS,
    MODULE_SETTINGS,
    NAMED_RESULTS,
    TENSOR_STATIC,
    TENSOR_TENSORS,
    WEIGHTS,
)
from breaklint.interp.objects import Instance
from breaklint.interp.transfer import builtin_getattr, missing_attributes, object_access
from breaklint.interp.transfer.class_members import as_graph_input, bound_method, member, value_in_body
from breaklint.interp.transfer.names import as_value
from breaklint.interp.transfer.set_later import as_set_later
from breaklint.interp.values import (
    NONE,
    SIZE,
    SIZED_BY_DATA,
    Array,
    Const,
    ExternalInstance,
    ExternalName,
    Number,
    Shape,
    Size,
    Static,
    Tensor,
    without_none,
)
from breaklint.project.module import ClassInfo
from breaklint.torchops.names import held_by, is_setting

# Bases that add no unknown attributes.
BASES: Final = frozenset({"object", "abc.ABC", "torch.nn.Module", "torch.nn.modules.module.Module"})
OUTSIDE: Final = frozenset({"torch", "numpy", "builtins", "math"})


def get(frame: Frame, node: ast.expr, base: Value, name: str) -> Value:
    """The value of `base.name`."""
    some = without_none(base) if type(base) is Union else base
    if some is UNKNOWN and loggers.is_named_logger(node, name):
        some = loggers.LOGGER
    interp = frame.interp
    if type(some) is Instance:
        frame.implicit = node
    value = _of_options(frame, some, name) if type(some) is Union else _get(frame, some, name)
    frame.implicit = None
    if frame.context.traced:
        if name in interp.event_filter.attributes or (
            type(some) is ExternalInstance and interp.facts.use(f"{some.cls}.{name}")
        ):
            frame.emit(GetAttribute(node, frame, some, name, value))
        kind = type(value)
        if kind in object_access.OBJECTS or kind is Tensor:
            object_access.emit_access(frame, node, value)
        if type(some) is Instance and builtin_getattr.looks_up(frame, some, name):
            frame.emit(Call(node, frame, "", [Const(name)], {}, "__getattr__", some))
    return value


def _of_options(frame: Frame, some: Union, name: str) -> Value:
    """An attribute of one of several values: only options that have the attribute count, if there are any."""
    results = [(option, _get(frame, option, name)) for option in some.options]
    having = [pair for pair in results if not _lacks(frame, *pair, name)]
    return join_all([value for _, value in having or results]) or UNKNOWN


def _lacks(frame: Frame, value: Value, result: Value, name: str) -> bool:
    """Whether reading an attribute raises AttributeError: of an instance, by its classes, or of a tuple."""
    interp = frame.interp
    if isinstance(value, Tuple) or (isinstance(value, Sequence) and value.kind == "tuple"):
        return isinstance(result, Method) and not hasattr(tuple, name)
    if result is not UNKNOWN or not isinstance(value, Instance):
        return False
    if not BASES.issuperset(interp.project.external_bases(value.cls)):
        return False
    definition = value.get(name) or value.get("*") or interp.project.definer(value.cls, name)
    return definition is None and not (
        missing_attributes.is_stored(interp, value, name) or interp.project.method(value.cls, "__getattr__")
    )


def _get(frame: Frame, base: Value, name: str) -> Value:
    getter = _OF.get(base.__class__)
    return UNKNOWN if getter is None else getter(frame, base, name)


def of_tensor(_frame: Frame, base: Tensor, name: str) -> Value:
    """An attribute of a tensor."""
    if name == "shape" and base.role == SIZED_BY_DATA and base.ndim:
        return Tuple((Number("int"), *[SIZE] * (base.ndim - 1)))
    if name == "shape":
        return Shape(base.ndim)
    if name in TENSOR_STATIC:
        return Const(base.ndim) if name == "ndim" and base.ndim is not None else Static(TENSOR_STATIC[name])
    if name in TENSOR_TENSORS:
        value = Tensor(base.dtype if name not in ("real", "imag") else "float", base.ndim, base.assumed)
        return join(value, NONE) if name == "grad" else value
    if name == "grad_fn":
        return UNKNOWN
    return Method(base, name)


def of_symbol(frame: Frame, base: ExternalName, name: str) -> Value:
    """An attribute of a module, class or function outside the project, or of a module of the project."""
    qualified = f"{base.name}.{name}"
    if base.name.partition(".")[0] in OUTSIDE:
        return CONSTANTS.get(qualified) or ExternalName(qualified)
    return as_value(frame.interp, frame.interp.project.lookup(qualified))


def of_instance(frame: Frame, base: Instance, name: str) -> Value:
    """An attribute of an instance of a class of the project."""
    if name == "__class__":
        return ClassValue(base.cls)
    attribute = base.get(name)
    frame.record.read(base)
    if isinstance(attribute, Union):
        for cls in frame.interp.project.mro(base.cls):
            if isinstance(cls, ClassInfo) and name in cls.annotations:
                attribute = declared(frame.interp, cls.module, cls.annotations[name], attribute)
                break
    if attribute is None:
        return member(frame, base, name) or _of_base(frame, base, name)
    if base.is_in_use and not (frame.interp.is_driving or frame.interp.runs_in_turn):
        attribute = as_set_later(frame.interp, base.cls, name, attribute)
    if name in base.optional:
        defined = member(frame, base, name)
        attribute = attribute if defined is None else join(attribute, defined)
    return frame.read(as_graph_input(attribute) if frame.context.traced else attribute)


def _of_base(frame: Frame, base: Instance, name: str) -> Value:
    """An attribute that the project does not define: from torch's classes among the bases, if they have it."""
    bases = frame.interp.project.external_bases(base.cls)
    if isinstance(tensor := as_tensor(frame.interp, base), Tensor):
        return base.attrs.get(name) or of_tensor(frame, tensor, name)
    if name == "training":
        return Const(True) if frame.interp.runs_in_turn else Static("bool")
    for outside in bases:
        if outside.startswith("torch."):
            attribute = of_object(frame, ExternalInstance(outside), name)
            if not isinstance(attribute, Unknown):
                return Method(base, name) if isinstance(attribute, Method) else attribute
    if any(frame.interp.facts.use(f"{outside}.{name}()") for outside in bases) or (
        name == "_replace" and not NAMED_TUPLES.isdisjoint(bases)
    ):
        return Method(base, name)
    loose = base.get("*")  # stored under an unknown name: `setattr(self, f"conv{i}", ...)`
    value = base.attrs.get(name)
    if value is not None or missing_attributes.is_stored(frame.interp, base, name):
        return value or UNKNOWN
    if not bases and (method := missing_attributes.fallback(frame.interp, base.cls, name)) is not None:
        return frame.interp.call(frame, Function(method, base), [Const(name)], {})
    return UNKNOWN if loose is None else loose


def of_object(_frame: Frame, base: ExternalInstance, name: str) -> Value:
    """An attribute of an object of a class outside the project."""
    if base.cls == CONTEXT and name in ("saved_tensors", "saved_variables"):
        return Sequence(Tensor(), kind="tuple")
    if base.cls.startswith("torch.nn."):
        if name in INNER_MODULES and held_by(base.cls).get(name) == "module":
            return ExternalInstance(INNER_MODULES[name])
        if name in WEIGHTS and is_setting(base.cls, name):
            return Static("")
        if name in WEIGHTS:
            weight = Tensor("float", None, role="parameter")
            return weight if _is_always_there(base.cls, name) else join(weight, NONE)
        if name in BUFFERS:
            return join(Tensor(BUFFERS[name], None, role="buffer"), NONE)
        if name in MODULE_METHODS or name.startswith("register_"):
            return Method(base, name)
        return Static("bool") if name == "training" else Static("") if name in MODULE_SETTINGS else UNKNOWN
    return Method(base, name)


def _is_always_there(layer: str, name: str) -> bool:
    """Whether every layer of a class has the parameter, for all arguments of its constructor."""
    return (name == "weight" and "Norm" not in layer) or name.startswith("weight_")


def of_class(frame: Frame, base: ClassValue, name: str) -> Value:
    """An attribute of a class of the project."""
    project = frame.interp.project
    method = project.method(base.info, name)
    decorating = frame.interp.decorating
    if decorating is not None and base.info is decorating[0] and name in decorating[1]:
        return decorating[1][name]  # stored by an inner decorator
    if method is not None:
        bound = bound_method(frame, method, base)
        return (
            Function(method)
            if isinstance(bound, Function) and bound.owner is base and not method.is_classmethod
            else bound
        )
    for cls in project.mro(base.info):
        if isinstance(cls, ClassInfo) and name in cls.attributes:
            return value_in_body(frame, cls, name, None)
    if name == "apply" and is_autograd_function(frame, base.info):
        return Method(base, "apply")
    if name == "__name__":
        return Const(base.info.name.rpartition(".")[2])
    if any(frame.interp.facts.use(f"{outside}.{name}()") for outside in project.external_bases(base.info)):
        return Method(base, name)
    return Static("str") if name in ("__qualname__", "__module__") else UNKNOWN


def is_autograd_function(frame: Frame, cls: ClassInfo) -> bool:
    """Whether a class derives from torch.autograd.Function."""
    return any(
        base in ("torch.autograd.Function", "torch.autograd.function.Function")
        for base in frame.interp.project.external_bases(cls)
    )


def of_super(frame: Frame, base: Super, name: str) -> Value:
    """The value of `super().name`: from the classes after the class in the owner's MRO."""
    owner = base.owner
    cls = owner.cls if isinstance(owner, Instance) else owner.info if isinstance(owner, ClassValue) else base.cls
    method = frame.interp.project.method(cls, name, after=base.cls)
    if method is not None:
        return bound_method(frame, method, owner)
    return Method(owner, name) if isinstance(owner, Instance) else UNKNOWN


def _of_row(_frame: Frame, base: Tuple, name: str) -> Value:
    place = NAMED_RESULTS.get(name, len(base.items))
    return base.items[place] if place < len(base.items) else Method(base, name)


def _of_array(_frame: Frame, base: Array, name: str) -> Value:
    if name in ("shape", "T"):
        return Shape(base.ndim) if name == "shape" else base
    plain = {"ndim": "int", "size": "int", "dtype": "dtype"}.get(name)
    return Static(plain) if plain else Method(base, name)


def _of_dict(_frame: Frame, base: Dict, name: str) -> Value:
    """A method of a dict or nn.ModuleDict; Unknown for other names, which may be keys of a subclass."""
    return Method(base, name) if name in DICT_METHODS else UNKNOWN


def _of_function(_frame: Frame, base: Function, name: str) -> Value:
    """`f.__get__`, `f.__func__` or `f.__name__` of a function."""
    if name == "__func__":
        return Function(base.info, None, base.closure, base.defaults)
    if name == "__name__":
        return Const(base.info.name.rpartition(".")[2])
    return Method(base, name) if name == "__get__" else UNKNOWN


def _method(_frame: Frame, base: Value, name: str) -> Value:
    return Method(base, name)


_OF: Final[dict[type[Value], Callable[[Frame, Any, str], Value]]] = {
    Tensor: of_tensor,
    ExternalName: of_symbol,
    Instance: of_instance,
    ClassValue: of_class,
    Super: of_super,
    ExternalInstance: of_object,
    Tuple: _of_row,
    Array: _of_array,
    Dict: _of_dict,
    Function: _of_function,
    **dict.fromkeys((Sequence, Shape, Const, Size, Static, Number, Unknown), _method),
}
