"""The values of names: local, enclosing, of the module, builtin."""

from __future__ import annotations

from breaklint.interp.callables import ClassValue, Function
from breaklint.interp.frame import AbstractInterpreter, Frame
from breaklint.interp.lattice import UNKNOWN, Value, join
from breaklint.interp.signatures import signature_of
from breaklint.interp.transfer import registrations
from breaklint.interp.transfer.decorators import decorated
from breaklint.interp.values import NONE, Const, ExternalName, Static
from breaklint.project.binding import function_info
from breaklint.project.class_hierarchy import Resolved
from breaklint.project.module import ClassInfo, FunctionInfo, FunctionNode, Module
from breaklint.project.project import BUILTINS


def lookup_name(frame: Frame, identifier: str) -> Value:
    """The value of a name, by Python's lookup: local, enclosing, module, builtin."""
    local = frame.lookup(identifier)
    if local is not None:
        return local
    value = _of_module(frame, identifier)
    if identifier not in frame.module.rebound:
        return value
    scope = frame.interp.module_scope(frame.module)
    frame.record.read(scope)
    rebound = scope.env.get(identifier)
    if rebound is None:
        return value
    resolved = frame.interp.project.resolve(frame.module, identifier) if value is UNKNOWN else None
    if resolved is None and value is UNKNOWN:
        return frame.read(rebound)  # bound by functions only
    if isinstance(resolved, tuple):
        value = frame.interp.global_value(*resolved)
    return frame.read(rebound if frame.interp.runs_in_turn else join(value, rebound))


def _of_module(frame: Frame, identifier: str) -> Value:
    """The module's binding of a name, else the builtin of that name."""
    key = (frame.module, identifier)
    value = frame.interp.names.get(key)
    if value is not None:
        return value
    resolved = frame.interp.project.resolve(frame.module, identifier)
    value = ExternalName(f"builtins.{identifier}") if identifier in BUILTINS else UNKNOWN
    if resolved is not None:
        value = as_value(frame.interp, resolved)
    if isinstance(resolved, tuple):  # a computed value may not be complete yet
        return frame.read(value)
    frame.interp.names[key] = value
    return value


def as_value(interp: AbstractInterpreter, resolved: Resolved) -> Value:
    """The value of a name of the project."""
    if isinstance(resolved, ClassInfo):
        return ClassValue(resolved)
    if isinstance(resolved, FunctionInfo):
        return decorated(interp, resolved)
    if isinstance(resolved, Module):
        return ExternalName(resolved.name)
    if isinstance(resolved, str):
        return Const(False) if resolved == "typing.TYPE_CHECKING" else ExternalName(resolved)
    module, node = resolved
    value = interp.global_value(module, node)
    registrations.fill(interp, module, module.names, node, value)
    if isinstance(value, Const) and isinstance(value.value, bool) and not interp.is_driving:
        return Static("bool")  # a module-level flag may be set anywhere; driver code uses its default
    return UNKNOWN if value is NONE else value


def inner_function(frame: Frame, node: FunctionNode) -> Function:
    """A function that is defined in the traced one, with access to its names."""
    if frame.return_envs is None:
        frame.return_envs = []
    frame.interp.scopes.append(frame)
    info = function_info(frame.module, node, prefix=frame.name + ".")
    defaults = tuple(None if default is None else frame.eval(default) for _, default in signature_of(info).defaults)
    return Function(info, None, frame, defaults if any(defaults) else ())
