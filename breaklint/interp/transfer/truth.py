"""Truth tests of values."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from breaklint.interp.environment import Env
from breaklint.interp.events import Truth
from breaklint.interp.frame import Frame
from breaklint.interp.lattice import Union, Value
from breaklint.interp.models import special_methods
from breaklint.interp.models.instances import as_tensor
from breaklint.interp.objects import Instance
from breaklint.interp.predicates import truth
from breaklint.interp.signatures import signature_of
from breaklint.interp.transfer import narrowing
from breaklint.interp.values import Const, Static, Tensor
from breaklint.project.module import FunctionInfo

Conditions = list[tuple[ast.expr, bool]]  # tests and their outcomes


def emit_truth_test(frame: Frame, node: ast.expr, value: Value, kind: str) -> None:
    """Emit a test of the truth of `node`; for `a and b` that is the truth of `b`, because `a` was tested before."""
    if not frame.context.traced:
        return
    saved, values = frame.context, frame.interp.values
    while isinstance(node, ast.BoolOp):
        goes_on = isinstance(node.op, ast.And)
        for operand in node.values[:-1]:
            operand_value = values.get(operand)
            sides = None if operand_value is None else outcomes(frame, operand, operand_value)
            if sides is not None and sides[goes_on] is None:
                frame.context = saved
                return  # later operands were not evaluated: their values are those of another call
            if operand_value is None or sides is None or (truth(operand_value) is None and None not in sides):
                frame.context = frame.context.under_test(operand, goes_on)
        node = node.values[-1]
        operand_value = values.get(node)
        if operand_value is None:
            frame.context = saved
            return  # never evaluated: an operand before it decides
        value = operand_value
    if type(value) is Instance:
        special_methods.call_truth_method(frame, value)
        value = as_tensor(frame.interp, value)
    around = frame.context
    for conditions, outcome in _outcomes_of_name(frame, node, value):
        frame.context = around
        for test, side in conditions:
            frame.context = frame.context.under_test(test, side)
        frame.emit(Truth(node, frame, outcome, kind))
    frame.context = saved


def _outcomes_of_name(frame: Frame, node: ast.expr, value: Value) -> Iterator[tuple[Conditions, Value]]:
    """The tested value, and the conditions under which it is tested.

    For `skip = self.training and p < rate` this is the tensor if `self.training` is true, as in
    `if self.training and p < rate`. For a name to which branches assign a tensor and a constant, it is the tensor if
    the name is not the constant.
    """
    info = frame.function
    if info is None or not isinstance(node, ast.Name) or node.id in signature_of(info).keywords:
        yield [], value
        return
    expression = _only_value(info, node.id) if _is_mixed(value) else None
    values = frame.interp.values
    if isinstance(expression, ast.BoolOp) and expression.values[-1] in values:
        goes_on = isinstance(expression.op, ast.And)
        yield [(operand, goes_on) for operand in expression.values[:-1]], values[expression.values[-1]]
    elif isinstance(expression, ast.IfExp):
        for side, branch in ((True, expression.body), (False, expression.orelse)):
            if branch in values:
                yield [(expression.test, side)], values[branch]
    elif (parts := _tensor_or_constant(value)) is not None:
        tensor, constant = parts
        yield [(ast.Compare(node, [ast.Is()], [ast.Constant(constant)]), False)], tensor
    else:
        yield [], value


def _tensor_or_constant(value: Value) -> tuple[Tensor, Any] | None:
    """The tensor and the one constant that a value is, None for other values."""
    if type(value) is not Union or len(value.options) != 2:
        return None
    constant, tensor = sorted(value.options, key=lambda option: isinstance(option, Tensor))
    return (tensor, constant.value) if isinstance(tensor, Tensor) and isinstance(constant, Const) else None


def _is_mixed(value: Value) -> bool:
    """Whether a value is a tensor in some calls and a plain flag or number in others."""
    return type(value) is Union and {type(option) for option in value.options} in ({Tensor, Static}, {Tensor, Const})


def _only_value(info: FunctionInfo, name: str) -> ast.expr | None:
    """The expression that a function assigns to a name, if no other statement binds it."""
    stores = [node for node in info.nodes.of(ast.Name) if node.id == name and isinstance(node.ctx, ast.Store)]
    return next((each.value for each in info.nodes.of(ast.Assign) if each.targets == stores), None)


def is_open(frame: Frame, test: ast.expr, value: Value) -> bool:
    """Whether a test with that value may have either outcome."""
    return truth(value) is None and None not in outcomes(frame, test, value)


def outcomes(frame: Frame, test: ast.expr, value: Value) -> tuple[Env | None, Env | None]:
    """The environments after a test with that value is false, and true; None if impossible."""
    outcome = truth(value)
    if outcome is None:
        return narrowing.narrow_both(frame, test)
    side = narrowing.narrow(frame, test, outcome)
    return (None, side) if outcome else (side, None)
