"""Operators that take functions: checkpoint, cond, while_loop; Dynamo traces the function as a part of the operator."""

from __future__ import annotations

import ast

from breaklint.interp.arguments import Arguments
from breaklint.interp.events import Call
from breaklint.interp.frame import Frame
from breaklint.interp.heap import next_serial
from breaklint.interp.iteration import element_of, items_of
from breaklint.interp.lattice import UNKNOWN, Value, join_all
from breaklint.interp.models.torch_names import CHANGED, CHECKPOINT_OPTION
from breaklint.interp.objects import Instance
from breaklint.interp.record import Effect
from breaklint.interp.values import NONE, Const, Size, Static


def passed_through(frame: Frame, node: ast.expr, name: str, arguments: Arguments) -> Value:
    """The result of an operator that calls its first argument, or returns it."""
    function = arguments.get(0) or UNKNOWN
    if name != "torch.utils.checkpoint.checkpoint":
        return function
    signature = frame.interp.facts.signature(name)
    options = {CHECKPOINT_OPTION, *(signature.names() if signature is not None else ())}
    kwargs = {key: value for key, value in arguments.kwargs.items() if key not in options}
    return in_operator(frame, node, function, Arguments(arguments.args[1:], kwargs, arguments.starred))


def control_flow(frame: Frame, node: ast.expr, name: str, arguments: Arguments) -> Value:
    """The result of `torch.cond(test, a, b, operands)`, `while_loop(test, body, carried)` or `map(body, rows, *args)`,
    which trace their functions."""
    if name.endswith("map"):
        rows = [element_of(value) or UNKNOWN for value in arguments.args[1:2]]
        in_operator(frame, node, arguments.get(0) or UNKNOWN, Arguments([*rows, *arguments.args[2:]], {}))
        return UNKNOWN
    first, second, operands = ("true_fn", "false_fn", 3) if name.endswith("cond") else ("cond_fn", "body_fn", 2)
    inputs = arguments.get(operands, "operands" if operands == 3 else "carried_inputs") or NONE
    passed = Arguments(items_of(inputs) or [], {}, starred=inputs != NONE and items_of(inputs) is None)
    functions = [arguments.get(operands - 2, first), arguments.get(operands - 1, second)]
    results = [in_operator(frame, node, function or UNKNOWN, passed) for function in functions]
    return (join_all(results) or UNKNOWN) if operands == 3 else results[1]


def in_operator(frame: Frame, node: ast.expr, function: Value, arguments: Arguments) -> Value:
    """The result of a function that Dynamo traces as a part of one operator; numbers that it stores are compared at its
    end."""
    interp, outer, before = frame.interp, frame.interp.operator_since, set(frame.record.effects)
    interp.operator_since = next_serial() if outer is None else outer
    try:
        result = interp.invoke(frame, node, function, arguments)
    finally:
        interp.operator_since = outer
    new = [effect for effect in frame.record.effects if effect not in before]
    for effect in new if interp.facts.does("compares stores") else ():
        if _changes(effect):
            frame.emit(Call(node, frame, CHANGED, [Const(effect.key)], {}))
    return result


def _changes(effect: Effect) -> bool:
    """Whether an attribute gets another number, text or None."""
    value, target = effect.value, effect.target
    if not isinstance(target, Instance) or not isinstance(value, (Const, Static, Size)):
        return False
    return not isinstance(value, Const) or target.stored(str(effect.key)) != value
