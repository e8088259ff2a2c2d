"""Instances of classes: `__init__` is interpreted, so that `self.x` is known in `forward`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Final

from breaklint.interp import parameters
from breaklint.interp.annotations import declarations
from breaklint.interp.arguments import Arguments
from breaklint.interp.callables import ClassValue, Function
from breaklint.interp.containers import Container
from breaklint.interp.context import Context
from breaklint.interp.frame import AbstractInterpreter, Frame
from breaklint.interp.lattice import Value, options
from breaklint.interp.models import dataclass_fields
from breaklint.interp.models.loggers import LOGGER
from breaklint.interp.models.submodules import PLAIN
from breaklint.interp.objects import Instance
from breaklint.interp.values import TENSOR, Tensor
from breaklint.project.module import ClassInfo, FunctionInfo

MAX_BUILD_DEPTH: Final = 16
_PARAMETER: Final = Tensor("float", role="parameter")
# The tensors that instances of their subclasses are.
TENSORS: Final = {"torch.Tensor": TENSOR, "torch.nn.Parameter": _PARAMETER, "torch.nn.parameter.Parameter": _PARAMETER}
# nn.Module under the names that code uses, and the class of scripted modules.
MODULE_BASES: Final = ("torch.nn.Module", "torch.nn.modules.module.Module", "torch.jit.ScriptModule")


def qualified(cls: ClassInfo) -> str:
    """The dotted name of a class of the project."""
    return f"{cls.module.name}.{cls.name}"


def is_module(interp: AbstractInterpreter, cls: ClassInfo) -> bool:
    """Whether a class is an nn.Module by its bases."""
    return any(base in MODULE_BASES or base.startswith("torch.nn.") for base in interp.project.external_bases(cls))


def as_tensor(interp: AbstractInterpreter, value: Value) -> Value:
    """The tensor that an instance of a subclass of torch.Tensor is, else the value itself. An operation on an instance
    with `__torch_dispatch__` is not one of a tensor for Dynamo."""
    if type(value) is not Instance or interp.project.method(value.cls, "__torch_dispatch__") is not None:
        return value
    return next((TENSORS[base] for base in interp.project.external_bases(value.cls) if base in TENSORS), value)


def create(frame: Frame, node: ast.expr, cls: ClassInfo, call_arguments: Arguments) -> Value:
    """The instance of a call of the class: one per call in the source, with the join of its arguments. All calls in
    constructors that create modules with equal arguments share one."""
    interp = frame.interp
    if LOGGER.cls in interp.project.external_bases(cls):
        return LOGGER
    if cls.module.installed and call_arguments.optional:  # `**kwargs` changes no default of a package
        call_arguments = Arguments(call_arguments.args, call_arguments.kwargs)
    if (other := _of_other_classes(frame, cls, call_arguments)) is not None:
        return other
    instance = interp.instances.get((node, cls))
    if interp.runs_in_turn:
        instance = interp.instances[node, cls] = _new(frame, cls)
    elif instance is None or _is_older(frame, instance):
        instance = interp.instances[node, cls] = _shared_instance(frame, cls, call_arguments) or _new(frame, cls)
    first = not instance.built_with
    arguments = instance.widen_arguments(call_arguments) if frame.depth < MAX_BUILD_DEPTH else None
    if frame.depth < MAX_BUILD_DEPTH and frame.context.traced and (is_module(interp, cls) or _is_plain(interp, cls)):
        _trace_constructor(frame, node, instance, call_arguments, first)
        return instance
    if arguments is None:
        return instance
    method = interp.project.method(cls, "__init__")
    if method is None:
        dataclass_fields.fill(frame, instance, arguments)
        return instance
    now = _changes_arguments(interp, method, arguments)
    context = Context(traced=False, conditional=not first)
    caller = Frame(interp, cls.module, None, {}, context, frame.record if now else None, depth=frame.depth)
    instance.build_later(arguments, partial(_build, caller, instance, arguments))
    if now:
        instance.build()
    return instance


def _of_other_classes(frame: Frame, cls: ClassInfo, arguments: Arguments) -> Value | None:
    """The objects of other classes that `__new__` of a class returns, None if it may return an object of the class."""
    method = frame.interp.project.method(cls, "__new__")
    if method is None or frame.depth >= MAX_BUILD_DEPTH:
        return None
    new = Function(method, ClassValue(cls))
    result = frame.interp.call(frame, new, arguments.args, arguments.kwargs, arguments.starred)
    mro = frame.interp.project.mro
    is_other = all(isinstance(option, Instance) and cls not in mro(option.cls) for option in options(result))
    return result if is_other else None


def _is_older(frame: Frame, instance: Instance) -> bool:
    """Whether the instance of a call that driver code, or another operator, ran before differs from a new one."""
    since = frame.interp.operator_since
    return frame.context.traced and (instance.outside or (since is not None and instance.serial < since))


def _is_plain(interp: AbstractInterpreter, cls: ClassInfo) -> bool:
    """Whether a class has no base outside the project that stores or computes anything."""
    return PLAIN.issuperset(interp.project.external_bases(cls))


def _new(frame: Frame, cls: ClassInfo) -> Instance:
    instance = Instance(cls, outside=not frame.context.traced)
    instance.ready = True
    return instance


def _shared_instance(frame: Frame, cls: ClassInfo, arguments: Arguments) -> Instance | None:
    """The shared instance of all modules that untraced code creates with equal arguments, until code stores into one of
    them. None for other objects, which code may change."""
    values = [*arguments.args, *arguments.kwargs.values()]
    if frame.context.traced or arguments.starred or any(map(_is_container, values)) or not is_module(frame.interp, cls):
        return None
    key = (*arguments.args, *arguments.kwargs.items()), cls
    instance = frame.interp.instances.get(key)
    if instance is None or not instance.is_built_with(arguments):
        instance = frame.interp.instances[key] = _new(frame, cls)
    return instance


def _trace_constructor(frame: Frame, node: ast.expr, instance: Instance, arguments: Arguments, first: bool) -> None:
    """Run `__init__`, or fill the fields of a dataclass and run `__post_init__`, as part of the calling function."""
    project = frame.interp.project
    method = project.method(instance.cls, "__init__")
    context = frame.context
    if not first:
        frame.context = context.under_condition()
    if method is None:
        dataclass_fields.fill(frame, instance, arguments)
        method, arguments = project.method(instance.cls, "__post_init__"), Arguments([], {})
    if method is not None:
        call = Function(method, instance), arguments.args, arguments.kwargs, arguments.starred, node
        with _under_construction(instance):
            frame.interp.call(frame, *call)
    frame.context = context


def _changes_arguments(interp: AbstractInterpreter, method: FunctionInfo, arguments: Arguments) -> bool:
    """Whether a constructor may change lists and dicts among its arguments, which other code shares."""
    places = [
        number if not arguments.starred else None for number, value in enumerate(arguments.args) if _is_container(value)
    ]
    names = [name for name, value in arguments.kwargs.items() if _is_container(value)]
    return any(interp.attribute_stores.stores_into(method, place) for place in (*places, *names))


def _is_container(value: Value) -> bool:
    return any(isinstance(option, Container) for option in options(value))


def build_open(interp: AbstractInterpreter, instance: Instance) -> None:
    """Run `__init__` (without events) with parameters that may be any value of their types."""
    method = interp.project.method(instance.cls, "__init__")
    if method is not None:
        env = parameters.open_constructor(interp, method, instance)
        with _under_construction(instance):
            interp.run(Frame(interp, method.module, method, env, Context(traced=False), owner=instance))
    instance.ready = True


def any_instance(interp: AbstractInterpreter, cls: ClassInfo) -> Instance:
    """An instance of a class with unknown constructor arguments; its constructor runs at the first attribute read."""
    return _built_late(interp, cls, _build_any)


def guessed_owner(interp: AbstractInterpreter, cls: ClassInfo) -> Instance:
    """The instance on which the public methods of a class are called, whose annotations do not replace defaults."""
    return _built_late(interp, cls, build_open)


def _built_late(
    interp: AbstractInterpreter, cls: ClassInfo, build: Callable[[AbstractInterpreter, Instance], None]
) -> Instance:
    instance = interp.instances.get((build, cls))
    if instance is None:
        instance = interp.instances[build, cls] = Instance(cls, outside=True)
        instance.ready = True
        instance.build_later(Arguments([], {}), partial(build, interp, instance))
    assert isinstance(instance, Instance)
    return instance


def _build_any(interp: AbstractInterpreter, instance: Instance) -> None:
    for name, store in declarations(interp, instance):  # about a hundred in the configuration of a model, few are read
        instance.defer((name,), store)
    build_open(interp, instance)


def _build(caller: Frame, instance: Instance, arguments: Arguments) -> None:
    """Run `__init__` with the arguments of one call; a later call of the same class stores weakly."""
    method = caller.interp.project.method(instance.cls, "__init__")
    assert method is not None
    with _under_construction(instance):
        caller.interp.call(caller, Function(method, instance), arguments.args, arguments.kwargs, arguments.starred)


@contextmanager
def _under_construction(instance: Instance) -> Iterator[None]:
    instance.ready = False
    try:
        yield
    finally:
        instance.ready = True
