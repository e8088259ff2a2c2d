"""Where Python tests a value for its truth."""

from __future__ import annotations

import ast

from breaklint.interp.environment import Env
from breaklint.interp.events import Truth
from breaklint.interp.frame import Frame
from breaklint.interp.lattice import Value
from breaklint.interp.models import special_methods
from breaklint.interp.objects import Instance
from breaklint.interp.predicates import truth
from breaklint.interp.transfer import narrowing


def emit_truth_test(frame: Frame, node: ast.expr, value: Value, kind: str) -> None:
    """Emit that the truth of `node` is tested; of `a and b` that is the truth of `b`, as `a` was tested before."""
    if not frame.context.traced:
        return
    saved, values = frame.context, frame.interp.values
    while isinstance(node, ast.BoolOp):
        goes_on = isinstance(node.op, ast.And)
        for operand in node.values[:-1]:
            found = values.get(operand)
            sides = None if found is None else outcomes(frame, operand, found)
            if sides is not None and sides[goes_on] is None:
                frame.context = saved
                return  # the operands behind it were not evaluated: what is known of them is of another call
            if found is None or sides is None or (truth(found) is None and None not in sides):
                frame.context = frame.context.given(operand, goes_on)
        node = node.values[-1]
        found = values.get(node)
        if found is None:
            frame.context = saved
            return  # never evaluated: an operand before it decides
        value = found
    if type(value) is Instance:
        special_methods.ask_truth(frame, value)
    frame.emit(Truth(node, frame, value, kind))
    frame.context = saved


def is_open(frame: Frame, test: ast.expr, value: Value) -> bool:
    """Whether a test, which has that value, may come out either way."""
    return truth(value) is None and None not in outcomes(frame, test, value)


def outcomes(frame: Frame, test: ast.expr, value: Value) -> tuple[Env | None, Env | None]:
    """The names once a test, which has that value, has come out false, and true; None where it cannot."""
    known = truth(value)
    return (
        None if known is True else narrowing.narrow(frame, test, False),
        None if known is False else narrowing.narrow(frame, test, True),
    )
