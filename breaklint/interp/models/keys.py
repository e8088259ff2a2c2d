"""The `key=` of functions that compare items."""

from __future__ import annotations

import ast

from breaklint.interp.arguments import Arguments
from breaklint.interp.events import Truth
from breaklint.interp.frame import Frame
from breaklint.interp.lattice import UNKNOWN, Value
from breaklint.interp.values import NONE


def call_key(frame: Frame, node: ast.expr, item: Value | None, arguments: Arguments) -> None:
    """Call the `key=` of a function on an item, and compare its result."""
    key = arguments.kwargs.get("key", NONE)
    if key != NONE:
        result = frame.interp.invoke(frame, node, key, Arguments([item or UNKNOWN], {}))
        frame.emit(Truth(node, frame, result, "key"))
