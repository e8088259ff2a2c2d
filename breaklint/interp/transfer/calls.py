"""Calls: of the project's functions and classes, of torch, NumPy and builtins, of methods of tensors and containers."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from breaklint.interp.callables import ClassValue, Function, Method, Partial, Super
from breaklint.interp.containers import Dict, Sequence
from breaklint.interp.events import BreakingCall, Call
from breaklint.interp.iteration import element_of
from breaklint.interp.lattice import join, join_all, without_none
from breaklint.interp.models import (
    builtin_functions,
    container_methods,
    context_managers,
    instances,
    numpy_functions,
    tensor_methods,
    torch_functions,
)
from breaklint.interp.objects import Instance
from breaklint.interp.values import (
    UNKNOWN,
    Array,
    ExternalInstance,
    ExternalName,
    Number,
    Static,
    Tensor,
    Tuple,
    Union,
    Unknown,
    Value,
)
from breaklint.project.walking import dotted_name, walk

if TYPE_CHECKING:
    from breaklint.interp.frame import Frame


class Arguments:
    """Evaluated arguments. `starred`: a `*rest` of unknown length, or `**rest`, was among them."""

    __slots__ = ("args", "kwargs", "starred")

    def __init__(self, args: list[Value], kwargs: dict[str, Value], starred: bool = False) -> None:
        self.args, self.kwargs, self.starred = args, kwargs, starred

    def get(self, place: int, name: str = "") -> Value | None:
        """The argument at a position (-1: keyword only) or under a name."""
        if name in self.kwargs:
            return self.kwargs[name]
        return self.args[place] if 0 <= place < len(self.args) else None


def call(frame: Frame, node: ast.Call) -> Value:
    """The value of a call expression."""
    if isinstance(node.func, ast.Name) and node.func.id == "super" and frame.lookup("super") is None:
        return _super(frame, node)
    callee = frame.eval(node.func)
    arguments = evaluate_arguments(frame, node)
    value = invoke(frame, node, callee, arguments)
    if isinstance(callee, Method) and isinstance(callee.owner, Tensor):
        _settle(frame, node)
    return value


def _settle(frame: Frame, node: ast.Call) -> None:
    """A live number that a tensor method took as a size broke the graph there; from then on it is a plain one."""
    symbolic = {name: value for name, value in frame.env.items() if type(value) is Number and value.symbolic}
    if symbolic:
        used = {inner.id for argument in node.args for inner in walk(argument) if isinstance(inner, ast.Name)}
        for name in used.intersection(symbolic):
            frame.env[name] = Static(symbolic[name].kind)


def _super(frame: Frame, node: ast.Call) -> Value:
    current: Frame | None = frame
    while current is not None and (current.function is None or current.function.cls is None):
        current = current.closure
    if current is None or current.function is None or current.function.cls is None or current.owner is None:
        return UNKNOWN
    cls = current.function.cls
    if node.args:
        named = frame.eval(node.args[0])
        cls = named.info if isinstance(named, ClassValue) else cls
    return Super(cls, current.owner)


def evaluate_arguments(frame: Frame, node: ast.Call) -> Arguments:
    """Evaluate the arguments from left to right."""
    result = Arguments([], {})
    for argument in node.args:
        value = frame.eval(argument)
        if not isinstance(argument, ast.Starred):
            result.args.append(value)
        elif isinstance(value, (Tuple, Sequence)) and value.items is not None:
            result.args.extend(value.items)
        else:
            result.starred = True
            result.args.append(element_of(value) or UNKNOWN)
    for keyword in node.keywords:
        value = frame.eval(keyword.value)
        if keyword.arg is not None:
            result.kwargs[keyword.arg] = value
        elif isinstance(value, Dict) and value.rest is None:
            result.kwargs.update({name: item for name, item in value.items.items() if isinstance(name, str)})
        else:
            result.starred = True
    return result


def invoke(frame: Frame, node: ast.expr, callee: Value, given: Arguments) -> Value:
    """What calling `callee` gives."""
    callee = without_none(callee)
    if isinstance(callee, Union):
        return join_all([invoke(frame, node, option, given) for option in callee.options]) or UNKNOWN
    if isinstance(callee, Function):
        return call_function(frame, node, callee, given)
    if isinstance(callee, ExternalName):
        return _call_symbol(frame, node, callee.name, given)
    if isinstance(callee, Method):
        return _call_method(frame, node, callee, given)
    if isinstance(callee, ClassValue):
        frame.interp.emit(Call(node, frame, instances.qualified(callee.info), given.args, given.kwargs))
        return instances.create(frame, node, callee.info, given)
    if isinstance(callee, Instance):
        return call_instance(frame, node, callee, given)
    if isinstance(callee, ExternalInstance):
        return call_object(frame, node, callee.cls, given)
    if isinstance(callee, Partial):
        merged = Arguments([*callee.args, *given.args], {**dict(callee.kwargs), **given.kwargs}, given.starred)
        return invoke(frame, node, callee.function, merged)
    if isinstance(callee, Sequence) and callee.kind == "torch.nn.Sequential":
        return _call_sequential(frame, node, callee, given)
    return UNKNOWN


DISABLING: Final = frozenset({"torch.compiler.disable", "torch._dynamo.disable", "torch._disable_dynamo"})


def call_function(frame: Frame, node: ast.expr, callee: Function, given: Arguments) -> Value:
    """Follow a call into a function of the project, unless Dynamo would not."""
    if callee.info.decorators and decorator_names(frame, callee) & DISABLING:
        frame.interp.emit(Call(node, frame, "torch.compiler.disable", given.args, given.kwargs, starred=given.starred))
        return UNKNOWN
    interp, before = frame.interp, frame.interp.breaks
    value = interp.call(callee, given.args, given.kwargs, frame.depth + 1, given.starred)
    if interp.breaks > before:
        interp.emit(BreakingCall(node, frame, callee.info.name))
    return value


def decorator_names(frame: Frame, callee: Function) -> set[str]:
    """Qualified names of the decorators of a function."""
    names = set()
    for decorator in callee.info.decorators:
        dotted = dotted_name(decorator.func if isinstance(decorator, ast.Call) else decorator)
        found = frame.interp.project.resolve(callee.info.module, dotted) if dotted else None
        if isinstance(found, str):
            names.add(found)
    return names


def _call_symbol(frame: Frame, node: ast.expr, name: str, given: Arguments) -> Value:
    head = name.partition(".")[0]
    frame.interp.emit(Call(node, frame, name, given.args, given.kwargs, starred=given.starred))
    if (kept := context_managers.made_outside(frame, name)) is not None:
        return kept
    if head == "builtins":
        return builtin_functions.call(frame, node, name[9:], given)
    if head == "torch":
        return torch_functions.call(frame, node, name, given)
    if head == "numpy":
        return numpy_functions.call(frame, name, given)
    if name in ("functools.partial",) and given.args:
        return Partial(given.args[0], tuple(given.args[1:]), tuple(given.kwargs.items()))
    return builtin_functions.call_stdlib(frame, node, name, given)


def _call_method(frame: Frame, node: ast.expr, callee: Method, given: Arguments) -> Value:
    owner, name = callee.owner, callee.name
    target = ""
    if isinstance(owner, ExternalName):
        target = f"{owner.name}.{name}"
    elif isinstance(owner, ExternalInstance):
        target = f"{owner.cls}.{name}"
    elif isinstance(owner, Instance):
        outside = frame.interp.project.external_bases(owner.cls)
        target = f"{outside[0]}.{name}" if outside else ""
    frame.interp.emit(Call(node, frame, target, given.args, given.kwargs, name, owner, starred=given.starred))
    if isinstance(owner, Tensor):
        return tensor_methods.call(frame, owner, name, given)
    if isinstance(owner, Array):
        return numpy_functions.method(owner, name, given)
    if isinstance(owner, Instance):
        return instances.call_base_method(frame, node, owner, name, given)
    if isinstance(owner, ClassValue) and name == "apply":
        return instances.apply_autograd_function(frame, owner, given)
    if isinstance(owner, ExternalInstance):
        return instances.call_object_method(frame, node, owner, name, given)
    if isinstance(owner, Unknown):
        return tensor_methods.call_unknown(name, given)
    return container_methods.call(frame, node, owner, name, given)


def call_instance(
    frame: Frame, node: ast.expr, owner: Instance, given: Arguments, by: tuple[str, ...] = ("__call__", "forward")
) -> Value:
    """Call an instance of a class of the project: its `__call__`, or a module's forward."""
    project = frame.interp.project
    for name in by:
        method = project.method(owner.cls, name)
        if method is not None:
            return call_function(frame, node, Function(method, owner), given)
    bases = [base for base in project.external_bases(owner.cls) if base.startswith("torch.nn.")]
    if bases and bases[0] == "torch.nn.Sequential":
        return _call_sequential(frame, node, owner.get("*") or UNKNOWN, given)
    return call_object(frame, node, bases[0], given) if bases else UNKNOWN


def call_object(frame: Frame, node: ast.expr, cls: str, given: Arguments) -> Value:
    """Call an object of a class outside the project, such as a torch.nn layer."""
    frame.interp.emit(Call(node, frame, "", given.args, given.kwargs, instance=cls, starred=given.starred))
    return torch_functions.call_module(frame, cls, given)


def _call_sequential(frame: Frame, node: ast.expr, callee: Value, given: Arguments) -> Value:
    if not isinstance(callee, Sequence):
        return UNKNOWN
    value = given.get(0) or UNKNOWN
    if callee.items is not None:
        for layer in callee.items:
            frame.step()  # layers may hold each other, so that there are many more calls than expressions
            value = invoke(frame, node, layer, Arguments([value], {}))
        return value
    if callee.element is None:
        return value
    for _ in range(2):
        value = join(value, invoke(frame, node, callee.element, Arguments([value], {})))
    return invoke(frame, node, callee.element, Arguments([value], {}))
