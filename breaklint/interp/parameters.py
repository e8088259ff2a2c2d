"""Parameters: bound to arguments at a call; inferred from annotation, default and use at the start of a region."""

from __future__ import annotations

import ast
from functools import partial
from typing import Final

from breaklint.interp.annotations import declared, from_annotation
from breaklint.interp.callables import ClassValue, Function, Method, is_unknown
from breaklint.interp.containers import Dict, Sequence, Tuple
from breaklint.interp.docstrings import documented
from breaklint.interp.environment import Env
from breaklint.interp.frame import AbstractInterpreter
from breaklint.interp.lattice import UNKNOWN, Union, Unknown, Value, each, join, join_all, options
from breaklint.interp.objects import Instance
from breaklint.interp.parameter_inference import Evidence, evidence
from breaklint.interp.predicates import is_static
from breaklint.interp.receivers import annotated_receiver, receivers_of
from breaklint.interp.signatures import defaults, signature_of
from breaklint.interp.stand_ins import stand_in
from breaklint.interp.values import NONE, Const, ExternalName, Static, Tensor, constant_kind, without_none
from breaklint.project.module import FunctionInfo, Module
from breaklint.project.project import Project
from breaklint.project.syntax import is_literal

_REFINED: Final = frozenset({Unknown, Method, Union, Tensor, Dict})  # values that an annotation may refine


def bind(
    interp: AbstractInterpreter, function: Function, args: list[Value], kwargs: dict[str, Value], starred: bool = False
) -> Env:
    """The parameters of a function after a call binds them; a `starred` call may also bind the remaining ones."""
    info = function.info
    spec, signature = info.node.args, signature_of(info)
    names = signature.names
    env: Env = dict(zip(names, args, strict=False))
    if spec.vararg is not None:
        more = [_each_annotated(interp, info, spec.vararg, arg) for arg in args[len(names) :]]
        env[spec.vararg.arg] = _rest([*args[: len(names)], *more], len(names), starred)
    rest: dict[object, Value] = {}
    for name, value in kwargs.items():
        if name in signature.keywords:
            env.setdefault(name, value)
        elif spec.kwarg is not None:
            rest[name] = _each_annotated(interp, info, spec.kwarg, value)
    if spec.kwarg is not None:
        env[spec.kwarg.arg] = Dict(rest, _each_annotated(interp, info, spec.kwarg, UNKNOWN) if starred else None)
    for place, (parameter, default) in enumerate(signature.defaults):
        name = parameter.arg
        bound = env.get(name)
        if bound is None:
            if default is None or starred:
                bound = UNKNOWN
            elif function.defaults:
                bound = function.defaults[place] or UNKNOWN
            else:
                bound = interp.global_value(info.module, default)
        if parameter.annotation is not None and type(bound) in _REFINED:
            bound = as_annotated(interp, info.module, parameter.annotation, bound)
        if bound is UNKNOWN and is_literal(default, None):
            bound = stand_in(interp, info, name) or UNKNOWN
        if bound is UNKNOWN and parameter.annotation is None:
            bound = annotated_receiver(interp, info, name) or UNKNOWN
        env[name] = bound
    return env


def _each_annotated(interp: AbstractInterpreter, info: FunctionInfo, parameter: ast.arg, value: Value) -> Value:
    """The value of one argument for `*args: Tensor` or `**kwargs: Tensor`."""
    return value if parameter.annotation is None else as_annotated(interp, info.module, parameter.annotation, value)


def as_promised(interp: AbstractInterpreter, info: FunctionInfo, result: Value) -> Value:
    """The result of a call; an unknown result, or item of a tuple, is replaced by the value of the annotation."""
    node = info.node
    if (
        isinstance(node, ast.Lambda)
        or node.returns is None
        or info.is_generator
        or isinstance(node, ast.AsyncFunctionDef)
    ):
        return result
    if isinstance(result, Unknown):
        return from_annotation(interp, info.module, node.returns) or UNKNOWN
    if isinstance(result, Tuple) and UNKNOWN in result.items:
        promised = from_annotation(interp, info.module, node.returns)
        if isinstance(promised, Tuple) and len(promised.items) == len(result.items):
            pairs = zip(result.items, promised.items, strict=True)
            return Tuple(tuple(other if isinstance(item, Unknown) else item for item, other in pairs))
    return result


def plain_promise(interp: AbstractInterpreter, info: FunctionInfo) -> Value | None:
    """The value of a function's return annotation, if it is a plain Python value."""
    promised = as_promised(interp, info, UNKNOWN)
    return promised if isinstance(promised, Static) else None


def _rest(args: list[Value], start: int, starred: bool) -> Value:
    """The value of `*rest`: the remaining positional arguments, or for a `starred` call their join."""
    if not starred:
        return Tuple(tuple(args[start:]))
    return Sequence(join_all([*args[start:], *args[-1:]]) or UNKNOWN, kind="tuple")


def as_annotated(interp: AbstractInterpreter, module: Module, node: ast.expr, value: Value) -> Value:
    """The value of an annotated name: the annotation refines an unknown value, and the items of a dict."""
    kind = type(value)
    if kind not in _REFINED:
        return value
    if is_unknown(value):
        return from_annotation(interp, module, node) or UNKNOWN
    if kind is Method:
        return value
    if isinstance(value, Union):
        value = declared(interp, module, node, value)
    choices = options(value)
    tensors = [option for option in choices if isinstance(option, Tensor)]
    if tensors:
        expected = without_none(from_annotation(interp, module, node) or UNKNOWN)
        others = [option for option in choices if option not in tensors]
        if isinstance(expected, (Sequence, Tuple, Static, Tensor)) and all(tensor.assumed for tensor in tensors):
            return join_all([expected, *others]) or UNKNOWN
        is_input = isinstance(expected, (Sequence, Tuple)) and all(tensor.role == "input" for tensor in tensors)
        return UNKNOWN if is_input or isinstance(expected, Dict) else value  # one of two annotations is wrong
    if isinstance(choices[0], Dict) and all(isinstance(o, Dict) and o.rest in (None, UNKNOWN) for o in choices):
        promised = from_annotation(interp, module, node)
        if isinstance(promised, Dict) and promised.rest not in (None, UNKNOWN):  # not `Dict[str, Callable]`
            items = {
                name: item for option in choices if isinstance(option, Dict) for name, item in option.items.items()
            }
            return Dict({name: item for name, item in items.items() if not isinstance(item, Unknown)}, promised.rest)
    return value


def open_call(interp: AbstractInterpreter, info: FunctionInfo, owner: Value | None) -> Env:
    """The parameters of a function that a user calls on tensors: a module's forward, a compiled function.

    A parameter is a tensor unless annotation, default or use determines another value.
    """
    return _open(interp, info, owner, partial(_assumed, interp.project))


def passed_by_driver_code(interp: AbstractInterpreter, info: FunctionInfo, owner: Value | None) -> Env:
    """The parameters whose values the calls in driver code determine, for calls with that owner if there are any."""
    calls = interp.driver_calls.get(info, [])
    own = [env for bound, env in calls if bound == owner] or [env for _, env in calls]
    inputs: Env = {}
    for name in {name for env in own for name in env}:
        values = [env[name] for env in own if name in env and not is_unknown(env[name])]
        value = join_all([each(value, _as_input) for value in values])
        if value is not None and not isinstance(value, Unknown):
            inputs[name] = value
    return inputs


def undetermined(project: Project, info: FunctionInfo) -> tuple[str, ...]:
    """The parameters that annotation, default and use do not determine, only calls."""
    pairs = defaults(info.node.args)[1:]
    open_ones = (parameter for parameter, default in pairs if default is None and parameter.annotation is None)
    return tuple(each.arg for each in open_ones if _evidence(project, info, each.arg) is Evidence.NONE)


def _value_of_calls(interp: AbstractInterpreter, info: FunctionInfo, name: str) -> Value | None:
    """The value that all traced calls pass for a parameter, if it is not a tensor; else None."""
    calls = interp.awaited.get(info, ())
    value = join_all([call[name] for call in calls if name in call]) if calls else None
    plain = value is not None and all(isinstance(each, Tuple) or is_static(each) for each in options(value))
    return value if plain and value != NONE else None


def open_constructor(interp: AbstractInterpreter, info: FunctionInfo, owner: Value) -> Env:
    """The parameters of an `__init__` that a user calls: any value of their annotation or default, but no tensors."""
    return _open(interp, info, owner, lambda *_: UNKNOWN)


def _open(interp: AbstractInterpreter, info: FunctionInfo, owner: Value | None, guess: object) -> Env:
    assert callable(guess)
    spec = info.node.args
    env: Env = {}
    pairs = defaults(spec)
    if owner is not None and pairs:
        env[pairs[0][0].arg] = owner
        pairs = pairs[1:]
    for parameter, default in pairs:
        annotated = (
            from_annotation(interp, info.module, parameter.annotation)
            if parameter.annotation is not None
            else documented(info).get(parameter.arg)
        )
        value = None if default is None else interp.global_value(info.module, default)
        value_or_none = _typed(annotated, value) or _value_of_calls(interp, info, parameter.arg)
        if (value_or_none is None or value_or_none is UNKNOWN) and is_literal(default, None):
            value_or_none = stand_in(interp, info, parameter.arg) or value_or_none
        if value_or_none is None and parameter.annotation is None:
            value_or_none = annotated_receiver(interp, info, parameter.arg)
        if value_or_none is UNKNOWN and _evidence(interp.project, info, parameter.arg) is Evidence.BATCH:
            value_or_none = None  # `batch: dict`
        env[parameter.arg] = value_or_none or guess(info, parameter.arg, value)
    if spec.vararg is not None:
        each_of = _each_annotated(interp, info, spec.vararg, UNKNOWN)
        env[spec.vararg.arg] = Sequence(_input_or_none(each_of) or guess(info, spec.vararg.arg, None), kind="tuple")
    if spec.kwarg is not None:
        env[spec.kwarg.arg] = Dict(rest=each(_each_annotated(interp, info, spec.kwarg, UNKNOWN), _as_input))
    return env


def _input_or_none(value: Value) -> Value | None:
    return None if value is UNKNOWN else each(value, _as_input)


def _typed(annotated: Value | None, default: Value | None) -> Value | None:
    """The common type of an annotation and a default; None if neither has one."""
    annotated = None if annotated is None else each(annotated, _as_input)
    if annotated == Static("str") and isinstance(default, Const) and isinstance(default.value, str):
        return Static("str", default.value)
    kinds = {type(option) for option in options(annotated or UNKNOWN)}
    if isinstance(default, Const) and default != NONE and Tensor in kinds and Static not in kinds:
        return join(annotated or UNKNOWN, default)  # `mask: torch.Tensor | None = False`: callers pass either
    if annotated is not None and not isinstance(annotated, Unknown):
        return join(annotated, NONE) if default == NONE else annotated
    if isinstance(default, (ExternalName, ClassValue, Function, Instance)):
        return default  # `act=nn.ReLU`, `rnn_type: Callable = nn.LSTM`, `mode=Mode.MEAN`
    if annotated is not None:
        return annotated
    if default is None or default == NONE or isinstance(default, Unknown):
        return None
    kind = constant_kind(default)
    if isinstance(default, Const) and kind == "str":
        return Static("str", default.value)
    return (
        Static(kind)
        if kind
        else UNKNOWN
        if not isinstance(default, Tuple)
        else Sequence(join_all(default.items), kind="tuple")
    )


def _as_input(value: Value) -> Value:
    return Tensor(value.dtype, value.ndim, role="input") if isinstance(value, Tensor) else value


def _assumed(project: Project, info: FunctionInfo, name: str, default: Value | None) -> Value:
    """The value of an untyped parameter by its uses."""
    verdict = _evidence(project, info, name)
    if verdict is Evidence.NUMBER:
        return Static("")
    if verdict is Evidence.OTHER:
        return UNKNOWN
    if verdict is Evidence.BATCH:
        return Dict(rest=Tensor(assumed=True, role="input"))
    if verdict is Evidence.SEQUENCE:
        return Sequence(Tensor(assumed=True), kind="list")
    if default == NONE and verdict is not Evidence.TENSOR:
        return UNKNOWN
    first = default is None and _is_first(info, name)  # a module's forward is about its first argument
    value = Tensor(assumed=verdict is not Evidence.TENSOR and not first, role="input")
    return join(value, NONE) if default == NONE else value


def _evidence(project: Project, info: FunctionInfo, name: str) -> Evidence:
    """The verdict on a parameter by its uses, and by those in the methods and functions that receive it."""
    verdict = evidence(info, name)
    if verdict is not Evidence.NONE:
        return verdict
    for callee, parameter in receivers_of(project, info, name):
        verdict = evidence(callee, parameter)
        if verdict is not Evidence.NONE:
            return verdict
    return verdict


def _is_first(info: FunctionInfo, name: str) -> bool:
    names = [parameter.arg for parameter in [*info.node.args.posonlyargs, *info.node.args.args]]
    return info.cls is not None and names[1:2] == [name]
