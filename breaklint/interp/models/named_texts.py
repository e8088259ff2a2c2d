"""The strings that a name may be, by the tests of its function or by its use."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from breaklint.interp.frame import Frame

RECURRENT: Final = ("RNN", "LSTM", "GRU")


def named_layers(frame: Frame, node: ast.expr) -> tuple[str, ...]:
    """The recurrent modules, if the result of `getattr(nn, kind)` is called with `batch_first`."""
    calls = frame.function.nodes.of(ast.Call) if frame.function is not None else ()
    layer_call = next((call for call in calls if call.func is node), None)
    by_batch = layer_call is not None and any(keyword.arg == "batch_first" for keyword in layer_call.keywords)
    return RECURRENT if by_batch else ()


def named_texts(frame: Frame, node: ast.expr) -> list[str]:
    """The strings that the second argument of `getattr(nn, kind)` may be, if a test of the function lists them: `assert
    kind in ("LSTM", "GRU")`, `if kind not in ["LSTM", "GRU"]: raise`."""
    name = node.args[1] if isinstance(node, ast.Call) and len(node.args) > 1 else None
    if not isinstance(name, ast.Name) or frame.function is None:
        return []
    tests = frame.function.nodes.of(ast.Compare)
    return [*dict.fromkeys(text for test in tests if _is_about(test, name.id) for text in _texts(test.comparators[0]))]


def _is_about(test: ast.Compare, name: str) -> bool:
    return isinstance(test.left, ast.Name) and test.left.id == name and isinstance(test.ops[0], (ast.In, ast.NotIn))


def _texts(row: ast.expr) -> Iterator[str]:
    for item in row.elts if isinstance(row, (ast.Tuple, ast.List, ast.Set)) else ():
        if isinstance(item, ast.Constant) and isinstance(item.value, str) and item.value.isidentifier():
            yield item.value
