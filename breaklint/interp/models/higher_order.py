"""Operators that take functions: checkpoint, cond, while_loop; Dynamo traces the function as a part of the operator."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial
from operator import itemgetter
from typing import Final, NamedTuple

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
    """The result of an operator that traces its functions."""
    operator = OPERATORS[name.rpartition(".")[2]]
    places = enumerate(operator.functions, operator.place)
    functions = [arguments.get(place, parameter) or UNKNOWN for place, parameter in places]
    passed = operator.inputs(arguments)
    return operator.result([in_operator(frame, node, function, passed) for function in functions]) or UNKNOWN


def _operands(place: int, name: str, arguments: Arguments) -> Arguments:
    """The items of one argument."""
    inputs = arguments.get(place, name) or NONE
    return Arguments(items_of(inputs) or [], {}, starred=inputs != NONE and items_of(inputs) is None)


def _row(arguments: Arguments, place: int) -> Value:
    return element_of(arguments.get(place, "xs") or UNKNOWN) or UNKNOWN


class Operator(NamedTuple):
    """The parameters of an operator that are functions, the place of the first, their arguments, and its result by
    their results."""

    functions: tuple[str, ...]
    place: int
    inputs: Callable[[Arguments], Arguments]
    result: Callable[[list[Value]], Value | None] = lambda _: None


OPERATORS: Final = {
    "cond": Operator(("true_fn", "false_fn"), 1, partial(_operands, 3, "operands"), join_all),
    "while_loop": Operator(("cond_fn", "body_fn"), 0, partial(_operands, 2, "carried_inputs"), itemgetter(1)),
    "map": Operator(("f",), 0, lambda call: Arguments([_row(call, 1), *call.args[2:]], {})),
    "scan": Operator(("combine_fn",), 0, lambda call: Arguments([call.get(1, "init") or UNKNOWN, _row(call, 2)], {})),
}


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
