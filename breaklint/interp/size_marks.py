"""Sizes that driver code marks with `mark_dynamic`, and code that specializes them: ConstraintViolationError.

Measured on torch 2.13 and 2.15: a mark without a range is violated if the code allows only one size; a mark with a
range, if the result of a comparison depends on the size. A dynamic size is at least 2.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from breaklint.interp.signatures import signature_of
from breaklint.project.module import FunctionInfo, Module
from breaklint.project.walking import dotted_name, walk

MARKS: Final = ("torch._dynamo.mark_dynamic", "torch._dynamo.decorators.mark_dynamic")
FIXING: Final = (
    "range",
    "math.log",
    "math.log2",
    "math.log10",
    "math.exp",
    "np.sqrt",
    "np.log",
    "numpy.sqrt",
    "numpy.log",
)


class Mark(NamedTuple):
    """A mark of a dimension of a parameter, with its call. `is_range`: it has `min=` or `max=`."""

    parameter: str
    dim: int
    is_range: bool
    module: Module
    node: ast.Call


def marks_of(
    module: Module, around: FunctionInfo | None, call: ast.expr | None, function: FunctionInfo
) -> Iterator[Mark]:
    """The marks of the names that are arguments of a call, in its function or at the top level of the file."""
    if not isinstance(call, ast.Call) or not module.holds("mark_dynamic"):
        return
    names = [*signature_of(function).names]
    names = names[names[:1] == ["self"] :]
    parameters = {each.id: name for each, name in zip(call.args, names, strict=False) if isinstance(each, ast.Name)}
    nodes = (each for each in walk(module.tree) if isinstance(each, ast.Call))
    for node in around.nodes.of(ast.Call) if around is not None else nodes:
        name = dotted_name(node.func)
        values = [getattr(each, "id", getattr(each, "value", None)) for each in node.args]
        if len(values) != 2 or values[0] not in parameters or name is None:
            continue
        if isinstance(values[1], int) and _qualified(module, name) in MARKS:
            yield Mark(parameters[str(values[0])], values[1], bool(node.keywords), module, node)


def _qualified(module: Module, name: str) -> str:
    """The qualified name of a dotted name in a file."""
    first, _, rest = name.partition(".")
    bound = getattr(module.names.get(first), "qualified", first)
    return f"{bound}.{rest}" if rest else str(bound)


def fixing(function: FunctionInfo, mark: Mark) -> ast.expr | None:
    """The first expression of a function that specializes a marked size."""
    body = function.node.body
    nodes = [each for part in (body if isinstance(body, list) else [body]) for each in walk(part)]
    sizes = {
        target.id
        for each in nodes
        if isinstance(each, ast.Assign) and _is_size(each.value, mark)
        for target in each.targets
        if isinstance(target, ast.Name)
    }

    def holds(node: ast.AST) -> bool:
        return any(
            (isinstance(each, ast.Name) and each.id in sizes) or (isinstance(each, ast.expr) and _is_size(each, mark))
            for each in walk(node)
        )

    for node in nodes:
        if isinstance(node, (ast.For, ast.comprehension)):
            if mark.dim == 0 and getattr(node.iter, "id", "") == mark.parameter:
                return node.iter
        elif isinstance(node, ast.expr) and _fixes(node, mark, holds):
            return node
    return None


def _is_size(node: ast.expr, mark: Mark) -> bool:
    """Whether an expression is `x.shape[0]` or `x.size(0)`."""
    if isinstance(node, ast.Subscript):
        of, index = node.value, node.slice
        return dotted_name(of) == f"{mark.parameter}.shape" and getattr(index, "value", None) == mark.dim
    if isinstance(node, ast.Call) and len(node.args) == 1:
        return dotted_name(node.func) == f"{mark.parameter}.size" and getattr(node.args[0], "value", None) == mark.dim
    return False


def _fixes(node: ast.expr, mark: Mark, holds: Callable[[ast.AST], bool]) -> bool:
    """Whether an expression specializes a marked size; `holds` is whether an operand contains the size."""
    if isinstance(node, ast.Compare):
        sides = (node.left, *node.comparators)
        numbers = {side.value for side in sides if isinstance(side, ast.Constant)}
        is_decided = numbers <= {0, 1} and not any(isinstance(side, ast.BinOp) for side in sides)
        return mark.is_range and not is_decided and any(map(holds, sides))
    if isinstance(node, ast.Call):
        name = dotted_name(node.func) or ""
        if name == f"{mark.parameter}.unbind":
            return [getattr(each, "value", None) for each in node.args] in (
                [mark.dim],
                [] if mark.dim == 0 else [mark.dim],
            )
        steps = name == "torch.linspace" and any(map(holds, node.args[2:3]))
        key = (
            isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Dict)
            and any(map(holds, node.args))
        )
        return steps or key or (name in FIXING and any(map(holds, node.args)))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return isinstance(node.left, ast.List) and holds(node.right)
    return isinstance(node, ast.FormattedValue) and holds(node.value)
