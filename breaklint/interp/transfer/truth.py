"""Where Python asks a value for its truth."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from breaklint.interp.events import Truth
from breaklint.interp.transfer import narrowing
from breaklint.interp.values import Value

if TYPE_CHECKING:
    from breaklint.interp.frame import Frame


def emit_truth_test(frame: Frame, node: ast.expr, value: Value, kind: str) -> None:
    """Tell that the truth of `node` is asked; of `a and b` it is that of `b`, the operands before it were asked
    already."""
    maybe = 0
    while isinstance(node, ast.BoolOp):
        values = frame.module.values
        maybe += any(narrowing.is_open_flag(operand, values.get(operand)) for operand in node.values[:-1])
        node = node.values[-1]
        found = frame.module.values.get(node)
        if not isinstance(found, Value):
            return  # never evaluated: an operand before it decides
        value = found
    frame.blocks.extend(["maybe"] * maybe)
    frame.interp.emit(Truth(node, frame, value, kind))
    del frame.blocks[len(frame.blocks) - maybe :]
