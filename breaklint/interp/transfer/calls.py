"""Calls: of the project's functions and classes, of torch, NumPy and builtins, of methods of tensors and containers."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, Final

from breaklint.interp import concrete_torch
from breaklint.interp.arguments import Arguments
from breaklint.interp.callables import ClassValue, Function, Method, Partial, Super, Transform
from breaklint.interp.containers import Dict, Sequence, Tuple
from breaklint.interp.events import Call
from breaklint.interp.frame import Frame
from breaklint.interp.heap import Scope
from breaklint.interp.iteration import element_of
from breaklint.interp.lattice import UNKNOWN, Union, Unknown, Value, join, join_all
from breaklint.interp.models import (
    autograd_functions,
    builtin_functions,
    compilers,
    container_methods,
    context_managers,
    hooks,
    inherited_methods,
    instances,
    modules,
    numpy_functions,
    special_methods,
    stdlib_functions,
    tensor_methods,
    torch_functions,
    training_objects,
    transforms,
)
from breaklint.interp.objects import Instance
from breaklint.interp.transfer.functions import call_function
from breaklint.interp.transfer.subscripts import sized_by_data
from breaklint.interp.values import TENSOR, Array, ExternalInstance, ExternalName, Number, Static, Tensor, without_none
from breaklint.project.module import FunctionInfo
from breaklint.project.object_effects import REGISTERING
from breaklint.project.walking import walk

ATEN: Final = "torch.ops.aten."
METHOD: Final = "torch.Tensor."  # of the first argument: `torch.Tensor.item(x)`


def visit_Call(frame: Frame, node: ast.Call) -> Value:
    """The value of a call expression."""
    function = node.func
    if function.__class__ is ast.Name and function.id == "super" and frame.lookup("super") is None:
        return _super(frame, node)
    callee = frame.eval(function)
    arguments = evaluate_arguments(frame, node)
    value = invoke(frame, node, callee, arguments)
    if callee.__class__ is Method and callee.owner.__class__ is Tensor:
        _settle(frame, node)
    return sized_by_data(value) if frame.interp.captures and _is_sized_by_data(frame, callee) else value


def _is_sized_by_data(frame: Frame, callee: Value) -> bool:
    """Whether the shape of the result of a function or method depends on data: `torch.unique(x)`."""
    facts = frame.interp.facts
    if isinstance(callee, Method):
        fact = facts.method(callee.name) if isinstance(callee.owner, Tensor) else None
    else:
        fact = facts.function(callee.name) if isinstance(callee, ExternalName) else None
    return fact is not None and fact.plain.dynamic_shape


def _settle(frame: Frame, node: ast.Call) -> None:
    """Make a symbolic number constant after a tensor method has taken it as a size: the graph broke there."""
    if Number not in map(type, frame.env.values()):  # as nearly always
        return
    symbolic = {name: value for name, value in frame.env.items() if type(value) is Number and value.symbolic}
    if symbolic:
        names = {inner.id for argument in node.args for inner in walk(argument) if isinstance(inner, ast.Name)}
        for name in names.intersection(symbolic):
            frame.env[name] = Static(symbolic[name].kind)


def _super(frame: Frame, node: ast.Call) -> Value:
    scope: Scope | None = frame
    while isinstance(scope, Frame):
        cls = scope.function.cls if scope.function is not None else None
        if cls is not None and scope.owner is not None:
            args = [frame.eval(argument) for argument in node.args]
            above = args[0].info if args and isinstance(args[0], ClassValue) else cls
            return Super(above, scope.owner)
        scope = scope.closure
    return UNKNOWN


def evaluate_arguments(frame: Frame, node: ast.Call) -> Arguments:
    """Evaluate the arguments from left to right."""
    result = Arguments([], {})
    for argument in node.args:
        value = frame.eval(argument)
        if argument.__class__ is not ast.Starred and not result.starred:  # as nearly all
            result.args.append(value)
        elif result.starred:  # it may be any argument after the sequence of unknown length
            inner = element_of(value) if isinstance(argument, ast.Starred) else value
            result.args[-1] = join(result.args[-1], inner or UNKNOWN)
        elif isinstance(value, (Tuple, Sequence)) and value.items is not None:
            result.args.extend(value.items)
        else:
            result.starred = True
            result.args.append(element_of(value) or UNKNOWN)
    for keyword in node.keywords:
        value = frame.eval(keyword.value)
        if keyword.arg is not None:
            result.kwargs[keyword.arg] = value
        elif isinstance(value, Dict) and value.rest is None and not value.optional:
            result.kwargs.update({name: item for name, item in value.items.items() if isinstance(name, str)})
        else:
            result.optional = result.optional or not result.starred
            result.starred = True
    return result


def invoke(frame: Frame, node: ast.expr, callee: Value, arguments: Arguments) -> Value:
    """The result of a call of `callee`."""
    if type(callee) is Union:
        callee = without_none(callee)
    call = _CALLS.get(type(callee))
    return UNKNOWN if call is None else call(frame, node, callee, arguments)


def _call_any(frame: Frame, node: ast.expr, callee: Union, arguments: Arguments) -> Value:
    """The join of the results of several possible callees."""
    saved, callees = frame.context, _shared_methods(frame, callee)
    if len(callees) > 1:
        frame.context = saved.under_condition()
    results = [invoke(frame, node, option, arguments) for option in callees]
    frame.context = saved
    return join_all(results) or UNKNOWN


def _shared_methods(frame: Frame, callee: Union) -> list[Value]:
    """The possible callees; a method that several objects share is one callee, whose owner is any of them."""
    callees: list[Value] = []
    owners: dict[FunctionInfo, Value] = {}
    for option in callee.options:
        if isinstance(option, Function) and isinstance(option.owner, Instance) and _is_shared(frame, option):
            previous = owners.get(option.info)
            owners[option.info] = option.owner if previous is None else join(previous, option.owner)
        else:
            callees.append(option)
    return [*callees, *(Function(info, owner) for info, owner in owners.items())]


def _is_shared(frame: Frame, method: Function) -> bool:
    """Whether a method runs once for all its owners: not if it uses `super`, nor for modules, on whose state rules
    report one by one."""
    if method.closure is not None or method.defaults or not frame.context.traced or method.info.may_hold("super"):
        return False
    return isinstance(method.owner, Instance) and not instances.is_module(frame.interp, method.owner.cls)


def _call_class(frame: Frame, node: ast.expr, callee: ClassValue, arguments: Arguments) -> Value:
    target, project = instances.qualified(callee.info), frame.interp.project
    if project.method(callee.info, "__init__") is None:
        target = next((base for base in project.external_bases(callee.info) if base.startswith("torch.nn.")), target)
    frame.emit(Call(node, frame, target, arguments.args, arguments.kwargs))
    return instances.create(frame, node, callee.info, arguments)


def _call_instance(frame: Frame, node: ast.expr, callee: Instance, arguments: Arguments) -> Value:
    hooks.call_hooks(frame, node, callee)
    value = modules.call_instance(frame, node, callee, arguments)
    hooks.call_forward_hooks(frame, callee, value)
    return value


def _call_external_instance(frame: Frame, node: ast.expr, callee: ExternalInstance, arguments: Arguments) -> Value:
    hooks.call_hooks(frame, node, callee)
    return modules.call_external(frame, node, callee.cls, arguments)


def _call_partial(frame: Frame, node: ast.expr, callee: Partial, arguments: Arguments) -> Value:
    merged = Arguments([*callee.args, *arguments.args], {**dict(callee.kwargs), **arguments.kwargs}, arguments.starred)
    return invoke(frame, node, callee.function, merged)


def _call_sequence(frame: Frame, node: ast.expr, callee: Sequence, arguments: Arguments) -> Value:
    return modules.call_sequential(frame, node, callee, arguments) if callee.kind == "torch.nn.Sequential" else UNKNOWN


def _operator(frame: Frame, name: str) -> str:
    """The qualified name of the torch function of an operator in `torch.ops.aten`, else the name itself."""
    function = f"torch.{name.removeprefix(ATEN).partition('.')[0]}"
    return name if frame.interp.facts.function(function) is None else function


def _call_external_name(frame: Frame, node: ast.expr, callee: ExternalName, arguments: Arguments) -> Value:
    name, interp = callee.name, frame.interp
    if name.startswith("torch.") and Instance in map(type, arguments.args):
        args = [instances.as_tensor(interp, value) for value in arguments.args]
        arguments = Arguments(args, arguments.kwargs, arguments.starred)
    if name.startswith(METHOD) and arguments.args:
        owner, *rest = arguments.args
        if isinstance(owner, (Tensor, Unknown)) and not name[len(METHOD) :].startswith("_"):
            method = Method(owner if isinstance(owner, Tensor) else TENSOR, name[len(METHOD) :])
            return _call_method(frame, node, method, Arguments(rest, arguments.kwargs, arguments.starred))
    if name.startswith(ATEN):
        name = _operator(frame, name)
    head = name.partition(".")[0]
    if frame.context.traced:
        frame.emit(Call(node, frame, name, arguments.args, arguments.kwargs, starred=arguments.starred))
    if (manager := context_managers.made_outside(frame, name)) is not None:
        return manager
    if name in compilers.COMPILERS:
        return compilers.call(frame, node, name, arguments)
    if head == "builtins":
        return builtin_functions.call(frame, node, name[9:], arguments)
    if head == "torch":
        value = torch_functions.call(frame, node, name, arguments)
        return concrete_torch.by_torch(name, arguments, value) if frame.interp.runs_in_turn else value
    if head == "numpy":
        return numpy_functions.call(frame, name, arguments)
    if name == "types.MethodType" and len(arguments.args) > 1 and isinstance(function := arguments.args[0], Function):
        return Function(function.info, arguments.args[1], function.closure, function.defaults)
    if name in ("functools.partial",) and arguments.args:
        return Partial(arguments.args[0], tuple(arguments.args[1:]), tuple(arguments.kwargs.items()))
    return stdlib_functions.call(frame, node, name, arguments)


def _call_tensor_method(frame: Frame, node: ast.expr, owner: Tensor, name: str, arguments: Arguments) -> Value:
    frame.emit(Call(node, frame, "", arguments.args, arguments.kwargs, name, owner, starred=arguments.starred))
    if name in REGISTERING:
        hooks.register(frame, node, owner, name, arguments)
    if name == hooks.OF_TENSOR:
        hooks.trace_gradient_hook(frame, node, owner, arguments)
    value = tensor_methods.call(frame, owner, name, arguments)
    return concrete_torch.by_method(owner, name, value) if frame.interp.runs_in_turn else value


def _call_method(frame: Frame, node: ast.expr, callee: Method, arguments: Arguments) -> Value:
    owner, name = callee.owner, callee.name
    if owner.__class__ is Tensor:
        return _call_tensor_method(frame, node, owner, name, arguments)
    target = ""
    if isinstance(owner, ExternalName):
        target = f"{owner.name}.{name}"
    elif isinstance(owner, ExternalInstance):
        target = f"{owner.cls}.{name}"
    elif isinstance(owner, (Instance, ClassValue)):
        outside = frame.interp.project.external_bases(owner.cls if isinstance(owner, Instance) else owner.info)
        target = f"{outside[0]}.{name}" if outside else ""
    elif name in training_objects.METHODS and owner is UNKNOWN and frame.context.traced:
        cls = training_objects.class_by_use(frame, node)
        target = f"{cls}.{name}" if cls else ""
    if context_managers.enters_stacked(frame, node, owner, name, arguments):
        return special_methods.enter_or_leave(frame, arguments.args[0], "__enter__")
    frame.emit(Call(node, frame, target, arguments.args, arguments.kwargs, name, owner, starred=arguments.starred))
    if name in REGISTERING:
        hooks.register(frame, node, owner, name, arguments)
    if isinstance(owner, Array):
        return numpy_functions.method(owner, name, arguments)
    if isinstance(owner, Instance):
        return inherited_methods.call_base_method(frame, node, owner, name, arguments)
    if isinstance(owner, Function) and name == "__get__" and arguments.args:
        return Function(owner.info, arguments.args[0], owner.closure, owner.defaults)
    if isinstance(owner, ClassValue) and name == "apply":
        return autograd_functions.apply_autograd_function(frame, owner, arguments)
    if isinstance(owner, ExternalInstance):
        return inherited_methods.call_object_method(frame, node, owner, name, arguments)
    if isinstance(owner, Unknown):
        return tensor_methods.call_unknown(name, arguments)
    return container_methods.call(frame, node, owner, name, arguments)


_CALLS: Final[dict[type[Value], Callable[[Frame, ast.expr, Any, Arguments], Value]]] = {
    Union: _call_any,
    Function: call_function,
    ExternalName: _call_external_name,
    Method: _call_method,
    ClassValue: _call_class,
    Instance: _call_instance,
    ExternalInstance: _call_external_instance,
    Partial: _call_partial,
    Transform: transforms.call,
    Sequence: _call_sequence,
}
