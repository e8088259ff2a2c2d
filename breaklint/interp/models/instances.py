"""Instances of classes: made by running `__init__`, so that `self.x` is known in forward."""

from __future__ import annotations

import ast
from functools import partial
from typing import TYPE_CHECKING, Final

from breaklint.interp import parameters
from breaklint.interp.callables import Function
from breaklint.interp.containers import Dict, Sequence
from breaklint.interp.iteration import element_of
from breaklint.interp.lattice import join, join_all
from breaklint.interp.models import torch_functions
from breaklint.interp.models.submodules import objects_met
from breaklint.interp.objects import Instance
from breaklint.interp.transfer import attributes, calls, object_access
from breaklint.interp.values import NONE, UNKNOWN, Const, ExternalInstance, Static, Tensor, Tuple, Value
from breaklint.project.module import ClassInfo, FunctionInfo

if TYPE_CHECKING:
    from breaklint.interp.callables import ClassValue
    from breaklint.interp.frame import Frame
    from breaklint.interp.interpreter import Interpreter
    from breaklint.interp.transfer.calls import Arguments

MAX_BUILD_DEPTH: Final = 16
MODULE_BASES: Final = ("torch.nn.Module", "torch.nn.modules.module.Module", "torch.jit.ScriptModule")


def qualified(cls: ClassInfo) -> str:
    """The dotted name of a class of the project."""
    return f"{cls.module.name}.{cls.name}"


def is_module(interp: Interpreter, cls: ClassInfo) -> bool:
    """Whether a class is an nn.Module as far as its bases tell."""
    return any(base in MODULE_BASES or base.startswith("torch.nn.") for base in interp.project.external_bases(cls))


def create(frame: Frame, node: ast.expr, cls: ClassInfo, given: Arguments) -> Value:
    """The instance that a call of the class makes; the same one each time the same call is met."""
    interp = frame.interp
    place = (id(node), id(cls))
    known = interp.instances.get(place)
    if known is not None:
        if known.ready and interp.project.method(cls, "__init__") is None:
            _fill_fields(interp, known, given)  # a named tuple made in a loop: of other values each time
        return known
    instance = interp.instances[place] = Instance(cls, outside=interp.quiet > 0)
    instance.ready = True
    if frame.depth < MAX_BUILD_DEPTH:
        if interp.project.method(cls, "__init__") is None:
            _fill_fields(interp, instance, given)
        else:
            instance.build_later(partial(build, interp, instance, given, frame.depth + 1))
    return instance


def build(interp: Interpreter, instance: Instance, given: Arguments | None, depth: int) -> None:
    """Run `__init__` (without events); with `given` None its parameters are anything of their type."""
    method = interp.project.method(instance.cls, "__init__")
    instance.ready = False
    interp.quiet += 1
    outer, interp.conditional = interp.conditional, 0
    helpers, interp.helpers = interp.helpers, 0
    try:
        if method is None:
            _fill_fields(interp, instance, given)
        elif given is None:
            env = parameters.open_constructor(interp, method, instance)
            interp.run(method, env, instance, None, depth)
        else:
            interp.call(Function(method, instance), given.args, given.kwargs, depth)
    finally:
        interp.quiet -= 1
        interp.conditional = outer
        interp.helpers = helpers
        instance.ready = True


def _fill_fields(interp: Interpreter, instance: Instance, given: Arguments | None) -> None:
    """A dataclass or named tuple: its fields are its arguments."""
    if given is None:
        return
    names = [
        name
        for cls in reversed(interp.project.mro(instance.cls))
        if isinstance(cls, ClassInfo)
        for name in cls.annotations
    ]
    for name, value in [*zip(names, given.args, strict=False), *given.kwargs.items()]:
        old = instance.attrs.get(name)
        instance.attrs[name] = value if old is None else join(old, value)
    instance.attrs.update(
        {name: NONE for name in names if name not in instance.attrs and not given.starred and given.kwargs}
    )


def call_base_method(frame: Frame, node: ast.expr, owner: Instance, name: str, given: Arguments) -> Value:
    """A method that an instance inherits from outside the project."""
    if name == "register_buffer":
        _register(owner, given, "buffer")
    elif name == "register_parameter":
        _register(owner, given, "parameter")
    elif (name in ("add_module", "register_module") and len(given.args) > 1) or (
        name == "__setattr__" and len(given.args) > 1
    ):
        _store(owner, given.args[0], given.args[1])
    elif name in ("append", "extend") and given.args:
        value = given.args[0] if name == "append" else element_of(given.args[0]) or UNKNOWN
        _store(owner, UNKNOWN, value)
    elif name == "__init__":
        _init_base(frame, owner, given)
    elif name == "forward":
        bases = [base for base in frame.interp.project.external_bases(owner.cls) if base.startswith("torch.nn.")]
        return calls.call_object(frame, node, bases[0], given) if bases else UNKNOWN
    elif name == "__call__":
        return calls.call_instance(frame, node, owner, given, by=("forward",))
    else:
        for met in objects_met(owner, name) if not frame.interp.quiet else ():
            object_access.use(frame, node, met)
        return module_method(name) or UNKNOWN
    return NONE


def _init_base(frame: Frame, owner: Instance, given: Arguments) -> None:
    """`super().__init__(*layers)` of a Sequential, `super().__init__(layers)` of a ModuleList."""
    bases = frame.interp.project.external_bases(owner.cls)
    if "torch.nn.Sequential" in bases:
        made = torch_functions.container("torch.nn.Sequential", given)
        owner.attrs["*"] = made
    elif "torch.nn.ModuleList" in bases and given.args:
        owner.attrs["*"] = element_of(given.args[0]) or UNKNOWN


def _register(owner: Instance, given: Arguments, role: str) -> None:
    name, value = given.get(0, "name"), given.get(1, "tensor" if role == "buffer" else "param")
    if isinstance(value, Tensor):
        value = Tensor(value.dtype, value.ndim, role="sparse" if value.role == "sparse" else role)
    elif value is not None and value != NONE:
        value = Tensor(role=role)
    _store(owner, name or UNKNOWN, value or NONE)


def _store(owner: Instance, name: Value, value: Value) -> None:
    key = name.value if isinstance(name, Const) and isinstance(name.value, str) else "*"
    old = owner.get(key)
    owner.attrs[key] = value if old is None or key != "*" else join_all([old, value]) or UNKNOWN


def module_method(name: str) -> Value | None:
    """What a method of nn.Module returns, None when it is not one whose result is known."""
    parameter = Tensor("float", role="parameter")
    if name in ("parameters", "buffers"):
        return Sequence(parameter, kind="generator")
    if name in ("named_parameters", "named_buffers"):
        return Sequence(Tuple((Static("str"), parameter)), kind="generator")
    if name in ("state_dict",):
        return Dict(rest=parameter)
    return None


def call_object_method(frame: Frame, node: ast.expr, owner: ExternalInstance, name: str, given: Arguments) -> Value:
    """A method of an object of a class outside the project."""
    if owner.cls.startswith("torch.nn.") and name in ("forward", "__call__"):
        return calls.call_object(frame, node, owner.cls, given)
    if owner.cls.startswith("torch.nn."):
        return module_method(name) or UNKNOWN
    return torch_functions.object_method(frame, owner.cls, name, given)


def apply_autograd_function(frame: Frame, owner: ClassValue, given: Arguments) -> Value:
    """`F.apply(...)` of a torch.autograd.Function: Dynamo traces forward and backward."""
    project, interp = frame.interp.project, frame.interp
    forward, backward = project.method(owner.info, "forward"), project.method(owner.info, "backward")
    setup = project.method(owner.info, "setup_context")
    if forward is None:
        return UNKNOWN
    ctx = ExternalInstance("torch.autograd.function.FunctionCtx")
    arguments = [ctx, *given.args] if setup is None else given.args
    result = interp.call(_of_function(owner, forward), arguments, given.kwargs, frame.depth + 1, given.starred)
    if backward is not None:
        bound = _of_function(owner, backward)
        interp.call(bound, [ctx, *_gradients(bound)], {}, frame.depth + 1)
    return result


def _of_function(owner: ClassValue, method: FunctionInfo) -> Function:
    return Function(method, owner) if attributes.is_classmethod(method) else Function(method)


def _gradients(backward: Function) -> list[Value]:
    node = backward.info.node
    assert not isinstance(node, ast.Lambda)
    given = 1 if backward.owner is None else 2
    return [Tensor("float") for _ in node.args.args[given:]]


def call_dunder(frame: Frame, value: Value, name: str) -> Value:
    """The result of a special method without arguments, Unknown where the project has none."""
    if isinstance(value, Instance):
        method = frame.interp.project.method(value.cls, name)
        if method is not None:
            return frame.interp.call(Function(method, value), [], {}, frame.depth + 1)
    if isinstance(value, Sequence) and value.kind == "generator" and name == "__enter__":
        return value.element or NONE
    if isinstance(value, ExternalInstance) and value.cls == "contextlib.ExitStack" and name == "__enter__":
        return value
    return UNKNOWN
