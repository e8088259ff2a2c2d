"""Names of a function that are used as numbers: in arithmetic, and as arguments that have to be numbers."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from typing import Final

from breaklint.project.module import FunctionInfo, ImportedName
from breaklint.project.walking import dotted_name
from breaklint.torchops.signatures import newest_signature

# No schema: the kinds of parameters (torchops/signatures.py) that take numbers, and those that take sizes.
NUMBER_KINDS: Final = frozenset({"int", "size", "number", "float", "floats"})
SIZE_KINDS: Final = frozenset({"int", "size"})
METHOD: Final = "torch.Tensor."


def number_names(function: FunctionInfo) -> frozenset[str]:
    """The names of a function whose values, or arithmetic with them, are sizes, bounds or numbers for torch.

    `torch.arange(j - i, j)` has `i` and `j`, and so has `n = j - i` before `torch.zeros(n)`. A read from a tensor is
    not arithmetic: `torch.arange(lengths.max())` has none.
    """
    return function.derive(_number_names)


def _number_names(function: FunctionInfo) -> frozenset[str]:
    numbers = {name for node in _numbers(function) for name in _arithmetic(node)}
    assigned = [
        (node.targets[0].id, {*_arithmetic(node.value)})
        for node in (function.nodes.of(ast.Assign) if numbers else ())
        if isinstance(node.targets[0], ast.Name)
    ]
    while new := {name for target, names in assigned if target in numbers for name in names} - numbers:
        numbers |= new
    return frozenset(numbers)


def _numbers(function: FunctionInfo) -> Iterator[ast.expr]:
    """The expressions that are passed as numbers."""
    for call in function.nodes.of(ast.Call):
        qualified = _qualified(function, call.func)
        if qualified == "range":
            yield from call.args
        elif qualified:
            yield from (argument for place, argument in enumerate(call.args) if _takes_number(qualified, place))
            yield from (word.value for word in call.keywords if word.arg and _takes_number(qualified, word.arg))
    for bounds in function.nodes.of(ast.Slice):
        yield from (bound for bound in (bounds.lower, bounds.upper) if bound is not None)


def _qualified(function: FunctionInfo, callee: ast.expr) -> str:
    """The name of a callee in the table of signatures; for any other attribute, that of the tensor method."""
    head, _, rest = (dotted_name(callee) or "").partition(".")
    imported = function.module.names.get(head)
    if isinstance(imported, ImportedName):
        return f"{imported.qualified}.{rest}".strip(".")
    if not isinstance(callee, ast.Attribute):
        return "range" if head == "range" and imported is None else ""
    return "" if head == "self" and "." not in rest else f"{METHOD}{callee.attr}"


@cache
def _takes_number(qualified: str, key: int | str) -> bool:
    """Whether a parameter, by position or name, takes a number and no tensor; for a method of an unknown object,
    whether it takes sizes."""
    signature = newest_signature(qualified)
    parameter = signature.parameter(key) if signature is not None else None
    if parameter is None or "tensor" in parameter.kinds:
        return False
    return not (SIZE_KINDS if qualified.startswith(METHOD) else NUMBER_KINDS).isdisjoint(parameter.kinds)


def _arithmetic(node: ast.expr) -> Iterator[str]:
    """The names in an expression of arithmetic."""
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.BinOp):
        yield from _arithmetic(node.left)
        yield from _arithmetic(node.right)
    elif isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.Not):
        yield from _arithmetic(node.operand)
    elif isinstance(node, (ast.Tuple, ast.List)):
        for item in node.elts:
            yield from _arithmetic(item)
