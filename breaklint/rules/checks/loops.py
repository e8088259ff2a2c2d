"""Python loops that Dynamo unrolls: no break, but graph and compile time grow with a dimension."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from breaklint.interp.containers import Sequence
from breaklint.interp.events import Loop
from breaklint.interp.lattice import Value
from breaklint.interp.values import SIZED_BY_DATA, Size, without_none
from breaklint.rules.base import Check, Hit
from breaklint.rules.value_kinds import certain_tensor

WRAPPERS: Final = frozenset({"zip", "enumerate", "reversed", "iter"})


def _wraps_tensor(loop: Loop) -> bool:
    """Whether the loop is over `zip(x, y)` or `enumerate(x)` of tensors."""
    node = iterated(loop)
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in WRAPPERS):
        return False
    values = [loop.frame.interp.values.get(argument) for argument in node.args]
    return any(isinstance(value, Value) and certain_tensor(value) is not None for value in values)


class LoopOverDimension(Check):
    """A loop or comprehension over the rows of a tensor or over `range(x.shape[0])`."""

    def visit_loop(self, loop: Loop) -> Iterator[Hit]:
        value = without_none(loop.iterable) if loop.iterable is not None else None
        tensor = certain_tensor(value) if value is not None else None
        rows = tensor is not None and tensor.role != SIZED_BY_DATA
        over_size = isinstance(value, Sequence) and value.kind == "range" and isinstance(value.element, Size)
        if rows or over_size or _wraps_tensor(loop):
            yield Hit(iterated(loop))


def iterated(loop: Loop) -> ast.expr | ast.stmt:
    """The iterated expression; the whole loop if it is not a `for` loop."""
    return loop.node.iter if isinstance(loop.node, ast.For) else loop.node
