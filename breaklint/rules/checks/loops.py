"""Python loops that Dynamo unrolls: no break, but graph and compile time grow with a dimension."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from breaklint.interp.containers import Sequence
from breaklint.interp.events import Event, Loop
from breaklint.interp.lattice import Value
from breaklint.interp.values import Size, without_none
from breaklint.rules.base import Check, Hit, certain_tensor

WRAPPERS: Final = frozenset({"zip", "enumerate", "reversed", "iter"})


def _wraps_tensor(event: Loop) -> bool:
    """Whether the loop is over `zip(x, y)` or `enumerate(x)` of tensors."""
    node = event.node.iter if isinstance(event.node, ast.For) else event.node
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in WRAPPERS):
        return False
    values = [event.frame.interp.values.get(argument) for argument in node.args]
    return any(isinstance(value, Value) and certain_tensor(value) is not None for value in values)


class LoopOverDimension(Check):
    """A loop or comprehension over a tensor's rows or over `range(x.shape[0])`."""

    events = (Loop,)

    def see(self, event: Event) -> Iterator[Hit]:
        assert isinstance(event, Loop)
        value = without_none(event.iterable) if event.iterable is not None else None
        rows = value is not None and certain_tensor(value) is not None
        counted = isinstance(value, Sequence) and value.kind == "range" and isinstance(value.element, Size)
        if rows or counted or _wraps_tensor(event):
            yield Hit(event.node.iter if isinstance(event.node, ast.For) else event.node)
