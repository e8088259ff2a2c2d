"""The body of a loop over rows, rewritten for all rows: every element needs the same treatment."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import NamedTuple

from breaklint.analysis.shapes import of_one_tensor, shape_and_dtype
from breaklint.fixes.base import FixRequest, NotFixable

# Reductions with an overload with `dim` that returns one tensor.
REDUCED = {"sum": "sum", "mean": "mean", "amax": "amax", "amin": "amin", "max": "amax", "min": "amin"}


@dataclass(frozen=True, slots=True)
class Rows:
    """The iterated value: tensors with the names of their rows; `index` is the name of the row number.

    Rows of other tensors with the same number of rows and the same shape can be read at this index.
    """

    tensors: tuple[ast.expr, ...]
    names: tuple[str, ...] = ()
    index: str = ""


class Part(NamedTuple):
    """A part of the body written for all rows. `of`: the part of a row: its elements, one number, "" for neither."""

    text: str
    of: str = ""


def row_of(request: FixRequest, node: ast.expr, rows: Rows) -> ast.expr | None:
    """The tensor whose row an expression is; raises NotFixable if breaklint cannot infer that its rows match."""
    if isinstance(node, ast.Name) and node.id in rows.names:
        return rows.tensors[rows.names.index(node.id)]
    at = node.slice if isinstance(node, ast.Subscript) else None
    if not isinstance(node, ast.Subscript) or not isinstance(at, ast.Name) or at.id != rows.index:
        return None
    if not request.is_same(node.value, rows.tensors[0]) and not alike(request, node.value, rows.tensors[0]):
        raise NotFixable(f"`{request.text(node.value)}` does not have an inferred shape equal to that of the loop")
    return node.value


def alike(request: FixRequest, a: ast.expr, b: ast.expr) -> bool:
    """Whether two tensors have one inferred shape."""
    first, second = shape_and_dtype(request, a), shape_and_dtype(request, b)
    return first is not None and second is not None and first.shape == second.shape


def is_matrix(request: FixRequest, rows: Rows) -> bool:
    """Whether every row has one dimension by inference."""
    tensor = request.tensor(rows.tensors[0])
    return tensor is not None and tensor.ndim == 2


def for_all(request: FixRequest, node: ast.expr, rows: Rows) -> Part:
    """The body for all rows; raises NotFixable if it does not treat all rows and elements equally."""
    tensor = row_of(request, node, rows)
    if tensor is not None:
        return Part(request.operand(tensor), "elements")
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
        return Part(request.code(node))
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow)):
        return _between(request, node, rows)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = for_all(request, node.operand, rows)
        return Part(f"-{request.code(inner.text)}", inner.of)
    name, argument = of_one_tensor(request, node)
    if isinstance(node, ast.Call) and argument is not None:
        return _applied(request, node, name, argument, rows)
    raise NotFixable("breaklint cannot infer that the body treats every element alike")


def _applied(request: FixRequest, node: ast.Call, name: str, argument: ast.expr, rows: Rows) -> Part:
    inner = for_all(request, argument, rows)
    receiver = request.code(inner.text)
    if name in REDUCED and inner.of == "elements":
        flat = "" if is_matrix(request, rows) else ".flatten(1)"
        return Part(f"{receiver}{flat}.{REDUCED[name]}(dim=1)", "number")
    facts = request.facts
    if not facts.is_pointwise(name) or facts.is_inplace(name) or facts.is_random(name):
        raise NotFixable("breaklint cannot infer that the body treats every element alike")
    return Part(f"{request.code(node.func)}({inner.text})" if node.args else f"{receiver}.{name}()", inner.of)


def _between(request: FixRequest, node: ast.BinOp, rows: Rows) -> Part:
    """A binary operation; the source between the operands does not change, including parentheses."""
    left, right = (for_all(request, side, rows) for side in (node.left, node.right))
    if left.of and right.of and left.of != right.of:
        raise NotFixable("the body combines a row with a number of that row, which broadcasts differently for all rows")
    return Part(request.code_with(node, {node.left: left.text, node.right: right.text}), left.of or right.of)
