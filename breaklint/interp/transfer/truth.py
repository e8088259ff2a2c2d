"""Where Python tests a value for its truth."""

from __future__ import annotations

import ast

from breaklint.interp.events import Truth
from breaklint.interp.frame import Frame
from breaklint.interp.lattice import Value
from breaklint.interp.predicates import is_tensor, truth
from breaklint.project.walking import dotted_name


def emit_truth_test(frame: Frame, node: ast.expr, value: Value, kind: str) -> None:
    """Emit that the truth of `node` is tested; of `a and b` that is the truth of `b`, as `a` was tested before."""
    saved, values = frame.context, frame.interp.values
    while isinstance(node, ast.BoolOp):
        if any(is_open_flag(operand, values.get(operand)) for operand in node.values[:-1]):
            frame.context = frame.context.within("maybe")
        node = node.values[-1]
        found = values.get(node)
        if found is None:
            frame.context = saved
            return  # never evaluated: an operand before it decides
        value = found
    frame.emit(Truth(node, frame, value, kind))
    frame.context = saved


def tests_type(test: ast.expr) -> bool:
    """Whether a test is about what a value is (`isinstance`), so that what follows it is known to apply."""
    return isinstance(test, ast.Call) and dotted_name(test.func) in ("isinstance", "torch.is_tensor", "is_tensor")


def is_open_flag(operand: ast.expr, value: Value | None) -> bool:
    """Whether an operand of `and`/`or`, of this value if it was evaluated, leaves open that the next one is tested."""
    if tests_type(operand):
        return False
    return value is None or (truth(value) is None and not is_tensor(value))
