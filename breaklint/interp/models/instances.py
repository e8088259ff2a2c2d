"""Instances of classes: `__init__` is interpreted, so that `self.x` is known in `forward`."""

from __future__ import annotations

import ast
from functools import partial
from typing import Final

from breaklint.interp import parameters
from breaklint.interp.annotations import fill_declared
from breaklint.interp.arguments import Arguments
from breaklint.interp.callables import ClassValue, Function
from breaklint.interp.containers import Container, Dict, Sequence, Tuple
from breaklint.interp.context import Context
from breaklint.interp.events import Call
from breaklint.interp.frame import AbstractInterpreter, Frame
from breaklint.interp.iteration import element_of
from breaklint.interp.lattice import UNKNOWN, Value, join, options
from breaklint.interp.models import (
    compilers,
    dataclass_fields,
    modules,
    stdlib_functions,
    torch_functions,
    torch_layers,
)
from breaklint.interp.models.loggers import LOGGER
from breaklint.interp.models.submodules import PLAIN, objects_met
from breaklint.interp.models.torch_names import RETURNING_MODULE
from breaklint.interp.objects import Instance
from breaklint.interp.transfer import object_access
from breaklint.interp.transfer.stores import is_strong
from breaklint.interp.values import NONE, Const, ExternalInstance, Static, Tensor, without_none
from breaklint.project.module import ClassInfo, FunctionInfo
from breaklint.torchops.names import made_by

MAX_BUILD_DEPTH: Final = 16
# nn.Module under the names that code uses, and the class of scripted modules.
MODULE_BASES: Final = ("torch.nn.Module", "torch.nn.modules.module.Module", "torch.jit.ScriptModule")


def qualified(cls: ClassInfo) -> str:
    """The dotted name of a class of the project."""
    return f"{cls.module.name}.{cls.name}"


def is_module(interp: AbstractInterpreter, cls: ClassInfo) -> bool:
    """Whether a class is an nn.Module by its bases."""
    return any(base in MODULE_BASES or base.startswith("torch.nn.") for base in interp.project.external_bases(cls))


def create(frame: Frame, node: ast.expr, cls: ClassInfo, call_arguments: Arguments) -> Value:
    """The instance of a call of the class: one per call in the source, with the join of its arguments. All calls in
    constructors that create modules with equal arguments share one."""
    interp = frame.interp
    if LOGGER.cls in interp.project.external_bases(cls):
        return LOGGER
    if (other := _of_other_classes(frame, cls, call_arguments)) is not None:
        return other
    instance = interp.instances.get((node, cls))
    if interp.runs_in_turn:
        instance = interp.instances[node, cls] = _new(frame, cls)
    elif instance is None or (instance.outside and frame.context.traced):  # driver code ran the call before
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
        instance.ready = False
        try:
            frame.interp.call(
                frame, Function(method, instance), arguments.args, arguments.kwargs, arguments.starred, node
            )
        finally:
            instance.ready = True
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
        frame = Frame(interp, method.module, method, env, Context(traced=False), owner=instance)
        instance.ready = False
        try:
            interp.run(frame)
        finally:
            instance.ready = True
    instance.ready = True


def any_instance(interp: AbstractInterpreter, cls: ClassInfo) -> Instance:
    """An instance of a class with unknown constructor arguments; its constructor runs at the first attribute read."""
    key = (any_instance, cls)
    instance = interp.instances.get(key)
    if instance is None:
        instance = interp.instances[key] = Instance(cls, outside=True)
        instance.ready = True
        instance.build_later(Arguments([], {}), partial(_build_any, interp, instance))
    assert isinstance(instance, Instance)
    return instance


def _build_any(interp: AbstractInterpreter, instance: Instance) -> None:
    fill_declared(interp, instance)
    build_open(interp, instance)


def _build(caller: Frame, instance: Instance, arguments: Arguments) -> None:
    """Run `__init__` with the arguments of one call; a later call of the same class stores weakly."""
    method = caller.interp.project.method(instance.cls, "__init__")
    assert method is not None
    instance.ready = False
    try:
        caller.interp.call(caller, Function(method, instance), arguments.args, arguments.kwargs, arguments.starred)
    finally:
        instance.ready = True


def call_base_method(frame: Frame, node: ast.expr, owner: Instance, name: str, arguments: Arguments) -> Value:
    """The result of a method that an instance inherits from outside the project."""
    if name == "register_buffer":
        _register(frame, owner, arguments, "buffer")
    elif name == "register_parameter":
        _register(frame, owner, arguments, "parameter")
    elif (name in ("add_module", "register_module") and len(arguments.args) > 1) or (
        name == "__setattr__" and len(arguments.args) > 1
    ):
        _store(frame, owner, arguments.args[0], arguments.args[1])
    elif name in ("append", "extend") and arguments.args:
        value = arguments.args[0] if name == "append" else element_of(arguments.args[0]) or UNKNOWN
        _store(frame, owner, UNKNOWN, value)
    elif name == "__init__":
        _init_base(frame, owner, arguments)
    elif name == "forward":
        bases = [base for base in frame.interp.project.external_bases(owner.cls) if base.startswith("torch.nn.")]
        return modules.call_external(frame, node, bases[0], arguments) if bases else UNKNOWN
    elif name == "compile" and is_module(frame.interp, owner.cls):
        compilers.note(frame, node, owner, compilers.COMPILE, arguments)
    elif name == "_replace":
        return stdlib_functions.replaced(frame, node, owner, arguments)
    elif name == "__call__":
        return modules.call_instance(frame, node, owner, arguments, by=("forward",))
    else:
        for option in objects_met(frame, owner, name) if frame.context.traced else ():
            object_access.emit_access(frame, node, option)
            if isinstance(option, ExternalInstance):
                frame.emit(Call(node, frame, "", [], {}, name, option))
        if name in RETURNING_MODULE and is_module(frame.interp, owner.cls):
            return owner
        return module_method(name) or UNKNOWN
    return NONE


def _init_base(frame: Frame, owner: Instance, arguments: Arguments) -> None:
    """`super().__init__(*layers)` of a Sequential, `super().__init__(layers)` of a ModuleList."""
    bases = frame.interp.project.external_bases(owner.cls)
    if "torch.nn.Sequential" in bases:
        layers = torch_layers.container("torch.nn.Sequential", arguments)
        frame.change(owner, "*", layers)
    elif "torch.nn.ModuleList" in bases and arguments.args:
        frame.change(owner, "*", element_of(arguments.args[0]) or UNKNOWN)


def _register(frame: Frame, owner: Instance, arguments: Arguments, role: str) -> None:
    name, value = arguments.get(0, "name"), arguments.get(1, "tensor" if role == "buffer" else "param")
    if isinstance(value, Tensor):
        tensor_role = "sparse" if value.role == "sparse" else role
        value = Tensor(value.dtype, value.ndim, role=tensor_role, sizes=value.sizes)
    elif value is not None and value != NONE:
        tensor = Tensor(role=role)
        value = tensor if without_none(value) is value else join(tensor, NONE)
    _store(frame, owner, name or UNKNOWN, value or NONE)


def _store(frame: Frame, owner: Instance, name: Value, value: Value) -> None:
    if isinstance(name, Const) and isinstance(name.value, str):
        frame.change(owner, name.value, value, strong=is_strong(frame, owner))
    else:
        frame.change(owner, "*", value)


def module_method(name: str) -> Value | None:
    """The result of a method of nn.Module, None if it is not modelled."""
    parameter = Tensor("float", role="parameter")
    if name in ("parameters", "buffers"):
        return Sequence(parameter, kind="generator")
    if name in ("named_parameters", "named_buffers"):
        return Sequence(Tuple((Static("str"), parameter)), kind="generator")
    if name in ("state_dict",):
        return Dict(rest=parameter)
    return None


def call_object_method(frame: Frame, node: ast.expr, owner: ExternalInstance, name: str, arguments: Arguments) -> Value:
    """The result of a method of an object of a class outside the project."""
    if owner.cls.startswith("torch.nn.") and name in ("forward", "__call__"):
        return modules.call_external(frame, node, owner.cls, arguments)
    if owner.cls.startswith("torch.nn.") and name in RETURNING_MODULE:
        return owner
    if owner.cls.startswith("torch.nn."):
        return module_method(name) or torch_functions.call(frame, node, f"{owner.cls}.{name}", arguments)
    if owner.cls == "random.Random":
        return stdlib_functions.drawn(name)
    if cls := made_by(f"{owner.cls}.{name}"):
        return ExternalInstance(cls)
    return torch_functions.object_method(owner.cls, name, arguments)


def apply_autograd_function(frame: Frame, owner: ClassValue, call_arguments: Arguments) -> Value:
    """`F.apply(...)` of a torch.autograd.Function: Dynamo traces forward and backward."""
    project = frame.interp.project
    forward, backward = project.method(owner.info, "forward"), project.method(owner.info, "backward")
    setup = project.method(owner.info, "setup_context")
    if forward is None:
        return UNKNOWN
    ctx = ExternalInstance("torch.autograd.function.FunctionCtx")
    arguments = [ctx, *call_arguments.args] if setup is None else call_arguments.args
    result = frame.interp.call(
        frame, _of_function(owner, forward), arguments, call_arguments.kwargs, call_arguments.starred
    )
    if setup is not None:
        frame.interp.call(frame, _of_function(owner, setup), [ctx, Tuple(tuple(call_arguments.args)), result], {})
    if backward is not None and project.method(owner.info, "jvp") is None:  # else Dynamo does not trace the Function
        method = _of_function(owner, backward)
        frame.interp.call(frame, method, [ctx, *_gradients(method)], {})
    return result


def _of_function(owner: ClassValue, method: FunctionInfo) -> Function:
    return Function(method, owner) if method.is_classmethod else Function(method)


def _gradients(backward: Function) -> list[Value]:
    node = backward.info.node
    assert not isinstance(node, ast.Lambda)
    first = 1 if backward.owner is None else 2
    return [Tensor("float") for _ in node.args.args[first:]]
