"""Hooks that a constructor registers: Dynamo traces forward hooks, and breaks at modules with backward hooks."""

from __future__ import annotations

import ast
from typing import Final

from breaklint.interp.arguments import Arguments
from breaklint.interp.callables import ClassValue, Function, Partial
from breaklint.interp.compilation import Compilation
from breaklint.interp.containers import Dict, Tuple
from breaklint.interp.events import Call
from breaklint.interp.frame import Frame
from breaklint.interp.lattice import UNKNOWN, Value, options
from breaklint.interp.models import higher_order, torch_layers
from breaklint.interp.models.torch_names import CHANGED
from breaklint.interp.objects import Instance
from breaklint.interp.transfer.stores import is_strong
from breaklint.interp.values import Const, ExternalInstance, Tensor
from breaklint.project.object_effects import BACKWARD_HOOKS, HOOKS

FORWARD: Final = "register_forward_hook"
PRE: Final = "register_forward_pre_hook"
HOOK: Final = "forward hook"
PRE_HOOK: Final = "forward pre-hook"
REPLACED: Final = "replaced forward"
OF_TENSOR: Final = "register_hook"
WEIGHT: Final = frozenset({("weight hook", True)})
BACKWARD: Final = "torch.utils.hooks.BackwardHook"  # created by a call of a module with backward hooks


def register(frame: Frame, node: ast.expr, module: Value, name: str, arguments: Arguments) -> None:
    """Record a hook that a constructor registers, in the instance under construction; the arguments of the hook show
    its module."""
    builder = frame.owner
    if frame.context.traced:
        return
    if frame.interp.is_driving and name in (FORWARD, PRE) and builder is not module:
        _note(frame, node, name, arguments)
    if not isinstance(builder, Instance):
        return
    if name in (FORWARD, PRE):
        hook = arguments.get(0, "hook")
        if hook is not None:
            entry = Tuple((Const(name), hook, module, arguments.kwargs.get("with_kwargs") or Const(False)))
            row = builder.attrs.get(HOOKS)
            earlier = row.items if isinstance(row, Tuple) else ()
            if entry not in earlier:
                frame.change(builder, HOOKS, Tuple((*earlier, entry)), strong=True)
    elif isinstance(module, Instance):
        frame.change(module, BACKWARD_HOOKS, Const(True))
    elif isinstance(module, ExternalInstance):
        _replace(frame, node, ExternalInstance(module.cls, hooked=True))


def _note(frame: Frame, node: ast.expr, name: str, arguments: Arguments) -> None:
    """Record a hook that code outside of a module registers on it: it is compiled with the module."""
    for hook in options(arguments.get(0, "hook") or UNKNOWN):
        if isinstance(hook, (Function, Partial, Instance)):
            compilation = Compilation(hook, node, frame.module, HOOK if name == FORWARD else PRE_HOOK)
            frame.interp.compiled.setdefault((node, hook), compilation)


def note_forward(frame: Frame, node: ast.Attribute, module: Value, value: Value) -> None:
    """Record a function that driver code stores as the `forward` of a module: it is compiled with the module."""
    for function in options(value) if frame.interp.is_driving and not frame.context.traced else ():
        if isinstance(function, Function):
            if isinstance(module, ClassValue):
                owner = frame.interp.any_instance(frame.interp, module.info)
                function = Function(function.info, owner, function.closure, function.defaults)
            compilation = Compilation(function, node, frame.module, REPLACED)
            frame.interp.compiled.setdefault((node, function), compilation)


def trace_gradient_hook(frame: Frame, node: ast.expr, tensor: Tensor, arguments: Arguments) -> None:
    """Run the hook of a tensor that traced code computes: Dynamo traces it as the function of an operator."""
    if frame.context.traced and tensor.role not in ("input", "parameter"):
        higher_order.in_operator(frame, node, arguments.get(0, "hook") or UNKNOWN, Arguments([Tensor()], {}))


def arguments_of(kind: str) -> tuple[Value, ...]:
    """The arguments of a hook by its kind: the module, its arguments, and its result. Those of a forward are open."""
    inputs: tuple[Value, ...] = (UNKNOWN, Tuple((Tensor(role="input"),)))
    return {HOOK: (*inputs, Tensor(role="input")), PRE_HOOK: inputs}.get(kind, ())


def _replace(frame: Frame, node: ast.expr, hooked: Value) -> None:
    """Replace a layer by one with backward hooks: `self.conv.register_full_backward_hook(...)`."""
    receiver = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
    if isinstance(receiver, ast.Attribute):
        owner = frame.eval(receiver.value)
        if isinstance(owner, Instance):
            frame.change(owner, receiver.attr, hooked, strong=is_strong(frame, owner))


def has_backward_hooks(module: Value) -> bool:
    """Whether a module surely has backward hooks."""
    if isinstance(module, Instance):
        return module.get(BACKWARD_HOOKS) == Const(True)
    return isinstance(module, ExternalInstance) and module.hooked


def with_weight_hook(module: Value) -> Value:
    """A layer with a hook that stores its weight at each call; any other module itself."""
    return ExternalInstance(module.cls, module.hooked, WEIGHT) if isinstance(module, ExternalInstance) else module


def call_hooks(frame: Frame, node: ast.expr, module: Value) -> None:
    """Emit the call that wraps a module with backward hooks, and the store of a hook in the function of an operator."""
    if has_backward_hooks(module):
        frame.emit(Call(node, frame, BACKWARD, [module], {}))
    if frame.interp.operator_since is not None and isinstance(module, ExternalInstance) and module.settings >= WEIGHT:
        frame.emit(Call(node, frame, CHANGED, [Const("weight")], {}))


def call_forward_hooks(frame: Frame, owner: Instance, result: Value) -> None:
    """Run the forward hooks that the constructor of an instance has registered, on it and on its submodules."""
    entries = owner.get(HOOKS) if frame.context.traced else None
    frame.record.read(owner)
    for entry in entries.items if isinstance(entries, Tuple) else ():
        assert isinstance(entry, Tuple)
        name, hook, module, with_kwargs = entry.items
        inputs = Tuple((Tensor(),))
        args: list[Value] = [module, inputs]
        if with_kwargs == Const(True):
            args.append(Dict())
        if name == Const(FORWARD):
            args.append(result if module is owner else _output(frame, module))
        for option in options(hook):
            _call(frame, option, args)


def _output(frame: Frame, module: Value) -> Value:
    if isinstance(module, ExternalInstance):
        return torch_layers.call_module(frame, module.cls, Arguments([Tensor()], {}))
    return Tensor(assumed=True)


def _call(frame: Frame, hook: Value, args: list[Value]) -> None:
    if isinstance(hook, Partial) and isinstance(hook.function, Function):
        frame.interp.call(frame, hook.function, [*hook.args, *args], dict(hook.kwargs))
    elif isinstance(hook, Function):
        frame.interp.call(frame, hook, args, {})
