"""Narrowing of names by the outcome of a test."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Final

from breaklint.interp.callables import ClassValue
from breaklint.interp.containers import Dict, Sequence, Tuple
from breaklint.interp.environment import Env
from breaklint.interp.frame import Frame
from breaklint.interp.lattice import UNKNOWN, Unknown, Value, each, join_all, options
from breaklint.interp.models import instances
from breaklint.interp.objects import Instance
from breaklint.interp.predicates import is_none, truth
from breaklint.interp.transfer import names
from breaklint.interp.values import (
    NONE,
    TENSOR,
    Array,
    Const,
    ExternalInstance,
    ExternalName,
    Number,
    Shape,
    Size,
    Static,
    Tensor,
    python_kind,
    without_none,
)
from breaklint.project.walking import dotted_name

# Types whose instances are all tensors, and two that have none while Dynamo traces (measured).
TENSOR_TYPES: Final = frozenset({"torch.Tensor", "torch.nn.Parameter", "torch.FloatTensor"})
_SAME: Final = frozenset({ast.Is, ast.IsNot, ast.Eq, ast.NotEq})
NEVER: Final = frozenset({"torch.autograd.Variable", "torch.autograd.variable.Variable"})
_Subject = tuple[str, Value, Callable[[Value, bool], Value | None]]  # of a test: its path, value, and narrowing


def narrow(frame: Frame, test: ast.expr, outcome: bool) -> Env | None:
    """The environment after `test` had this `outcome`; None if it cannot.

    A test does not narrow a variable of another scope that functions bind: any call may bind it again.
    """
    cls = test.__class__
    if cls is ast.UnaryOp and test.op.__class__ is ast.Not:  # type: ignore[attr-defined]
        return narrow(frame, test.operand, not outcome)  # type: ignore[attr-defined]
    if cls is ast.BoolOp:
        return _narrow_all(frame, test, outcome)  # type: ignore[arg-type]
    if cls is ast.Constant:
        return frame.env.copy() if bool(test.value) == outcome else None  # type: ignore[attr-defined]
    return _after(frame, _subject(frame, test), outcome)


def narrow_both(frame: Frame, test: ast.expr) -> tuple[Env | None, Env | None]:
    """The environments after `test` was false, and true."""
    cls = test.__class__
    if cls is ast.UnaryOp and test.op.__class__ is ast.Not:  # type: ignore[attr-defined]
        return narrow_both(frame, test.operand)[::-1]  # type: ignore[attr-defined]
    if cls is ast.BoolOp or cls is ast.Constant:
        return narrow(frame, test, False), narrow(frame, test, True)
    subject = _subject(frame, test)
    return _after(frame, subject, False), _after(frame, subject, True)


def _after(frame: Frame, subject: _Subject | None, outcome: bool) -> Env | None:
    """The environment after the test of a subject."""
    if subject is None:
        return frame.env.copy()
    path, value, rule = subject
    part = rule(value, outcome)
    if part is None:
        return None
    env = frame.env.copy()
    if path in env or path not in frame.module.rebound:
        if path not in env and "." not in path:
            frame.outside.add(path)
        env[path] = part
    return env


def narrow_rank(frame: Frame, shape: ast.expr, targets: list[ast.expr]) -> None:
    """Narrow the rank of `x` after `b, c, h, w = x.shape` (or `x.size()`): four dimensions."""
    expression = shape.func if isinstance(shape, ast.Call) else shape
    tensor = expression.value if isinstance(expression, ast.Attribute) else None
    if not isinstance(tensor, ast.Name) or any(isinstance(target, ast.Starred) for target in targets):
        return
    value = frame.env.get(tensor.id)
    if value is not None and tensor.id not in (getattr(target, "id", None) for target in targets):
        frame.env[tensor.id] = each(value, lambda option: _of_rank(option, len(targets)))


def _of_rank(value: Value, rank: int) -> Value:
    is_open = isinstance(value, Tensor) and value.ndim is None
    return Tensor(value.dtype, rank, value.assumed, value.role) if is_open and isinstance(value, Tensor) else value


def _narrow_all(frame: Frame, test: ast.BoolOp, outcome: bool) -> Env | None:
    """Narrow by all operands if `a and b` is true; if it is false, by the only operand that may be false."""
    operands = test.values
    if isinstance(test.op, ast.And) != outcome:
        inferred = frame.interp.values
        operands = [each for each in operands if truth(inferred.get(each, UNKNOWN)) is not (not outcome)]
        if len(operands) != 1:
            return frame.env.copy()
    saved = frame.env
    try:
        for operand in operands:
            env = narrow(frame, operand, outcome)
            if env is None:
                return None
            frame.env = env
        return frame.env.copy()
    finally:
        frame.env = saved


def _subject(frame: Frame, test: ast.expr) -> _Subject | None:
    """The path of a simple test, its value, and the function that narrows it."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        op, right = test.ops[0].__class__, test.comparators[0]
        if not isinstance(right, ast.Constant):
            return None
        if right.value is None and op in _SAME:
            is_same = op is ast.Is or op is ast.Eq
            return _keep(frame, test.left, _none_or_not if is_same else _not_none_or_none)
        if isinstance(right.value, bool) and (op is ast.Is or op is ast.IsNot):
            flag, same = Const(right.value), op is ast.Is
            return _keep(frame, test.left, lambda value, outcome: _by_flag(value, flag, same == outcome))
        return None
    if isinstance(test, ast.Call):
        return _call_subject(frame, test)
    if isinstance(test, ast.NamedExpr):
        test = test.target
    return _keep(frame, test, _true_or_false)


def _call_subject(frame: Frame, test: ast.Call) -> _Subject | None:
    name = dotted_name(test.func)
    if name == "isinstance" and len(test.args) == 2:
        node = test.args[1]
        types = [frame.eval_untraced(each) for each in (node.elts if isinstance(node, ast.Tuple) else [node])]
        type_names = _names_of(types)
        single = types[0] if types and types[0].__class__ is ClassValue and node.__class__ is not ast.Tuple else None

        def of_types(value: Value, outcome: bool) -> Value | None:
            if outcome and isinstance(single, ClassValue):
                return _of_project_class(frame, single, value, type_names)
            return _of_type(frame, value, type_names, outcome)

        return _keep(frame, test.args[0], of_types) if type_names else None
    if name in ("torch.is_tensor", "is_tensor") and test.args:
        return _keep(frame, test.args[0], lambda value, outcome: _of_type(frame, value, ["torch.Tensor"], outcome))
    return None


def _keep(frame: Frame, node: ast.expr, rule: Callable[[Value, bool], Value | None]) -> _Subject | None:
    path = dotted_name(node)
    if path is None or path.count(".") > 1:
        return None
    if isinstance(node, ast.Name):
        return path, names.lookup_name(frame, node.id), rule
    return path, frame.eval_untraced(node), rule


def _none_or_not(value: Value, outcome: bool) -> Value | None:
    """The value after the test `value is None`."""
    if outcome:
        return None if is_none(value) is False else NONE
    return _not_none(value)


def _not_none_or_none(value: Value, outcome: bool) -> Value | None:
    return _none_or_not(value, not outcome)


def _not_none(value: Value) -> Value | None:
    return None if value is NONE else without_none(value)


def _by_flag(value: Value, flag: Const, same: bool) -> Value | None:
    """The part of a value that may be `flag` itself, or that differs from it."""
    if not same:
        return join_all([option for option in options(value) if option != flag])
    candidates = [option for option in options(value) if option == flag or truth(option) is None]
    return flag if any(not isinstance(option, Tensor) for option in candidates) else None


def _true_or_false(value: Value, outcome: bool) -> Value | None:
    """The value after a test of its truth."""
    if not outcome:
        return None if truth(value) is True else value
    if isinstance(value, Const) and not value.value:
        return None
    return Const(True) if value == Static("bool") else _not_none(value)


def _names_of(types: list[Value]) -> list[str]:
    """The names of types, none if one of them is unknown."""
    type_names = [
        each.name if isinstance(each, ExternalName) else each.info.name
        for each in types
        if isinstance(each, (ExternalName, ClassValue))
    ]
    return type_names if len(type_names) == len(types) else []


def _of_type(frame: Frame, value: Value, type_names: list[str], outcome: bool) -> Value | None:
    """The part of `value` that is (is not) an instance of one of the `wanted` types."""
    if isinstance(value, Unknown):
        return _instance_of(type_names) if outcome else UNKNOWN
    parts = []
    for option in options(value):
        verdicts = [_matches(frame, option, name) for name in type_names]
        matches = True if True in verdicts else None if None in verdicts else False
        if matches is None and outcome and isinstance(option, Tensor) and option.assumed:
            option = _instance_of(type_names)
        elif matches is None and outcome and isinstance(option, Tensor) and type_names == ["torch.nn.Parameter"]:
            option = Tensor(option.dtype, option.ndim, role="parameter", sizes=option.sizes)
        if matches is None or matches == outcome:
            parts.append(option)
    return join_all(parts)


def _of_project_class(frame: Frame, cls: ClassValue, value: Value, type_names: list[str]) -> Value | None:
    """The part of `value` that is an instance of a class of the project; any instance if it is unknown."""
    if isinstance(value, Unknown) and not frame.interp.project.external_bases(cls.info):
        return instances.any_instance(frame.interp, cls.info)
    return _of_type(frame, value, type_names, True)


def _instance_of(type_names: list[str]) -> Value:
    """A value known only to be an instance of one of several types."""
    simple = {"builtins.int": "int", "builtins.float": "float", "builtins.str": "str", "builtins.bool": "bool"}
    if all(name in TENSOR_TYPES for name in type_names):
        return TENSOR
    return join_all([Static(simple[name]) if name in simple else UNKNOWN for name in type_names]) or UNKNOWN


def _matches(frame: Frame, value: Value, name: str) -> bool | None:
    """Whether a value is an instance of the named type; None if unknown."""
    if name == "torch.nn.Module" and isinstance(value, Instance):
        return True if instances.is_module(frame.interp, value.cls) else None
    short = name.rpartition(".")[2]
    if name in NEVER and isinstance(value, Tensor):
        return False
    if isinstance(value, Tensor):
        if value.assumed:
            return None
        if name == "torch.Tensor" or (name == "torch.nn.Parameter" and value.role == "parameter"):
            return True
        return None if name.startswith("torch.") else False  # of a dtype, a parameter or a subclass: any tensor may be
    if name in TENSOR_TYPES:
        return None if isinstance(value, (Unknown, ExternalInstance, Instance)) else False
    if isinstance(value, (Sequence, Tuple)):
        kind = value.kind if isinstance(value, Sequence) else "tuple"
        return True if short in (kind, "Sequence", "Iterable") else False if name.startswith("builtins.") else None
    if isinstance(value, Dict):
        return (
            True if short in ("dict", "Mapping", "MutableMapping") else False if name.startswith("builtins.") else None
        )
    if isinstance(value, (Const, Static, Size, Number, Shape, Array)):
        kind = python_kind(value)
        if name.startswith("builtins.") and kind:
            return short == kind or (short == "int" and kind == "bool")
        return None if isinstance(value, (Shape, Array)) or not kind else False
    return None
