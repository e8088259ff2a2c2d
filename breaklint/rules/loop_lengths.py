"""The length of a loop, if literals or default arguments give it: `for layer in self.layers`, `range(depth)`."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from typing import Final

from breaklint.interp.interpreter import CallSite
from breaklint.project.module import FunctionInfo
from breaklint.project.scope import single_name
from breaklint.project.syntax import own_attribute
from breaklint.project.walking import walk
from breaklint.rules.default_arguments import constant_defaults

_LOOPS: Final = frozenset({"loop", "comprehension"})
_COMPREHENSIONS: Final = (ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)
_AS_LONG: Final = frozenset({"enumerate", "reversed", "zip", "list", "tuple", "ModuleList"})  # as the first argument


def turns_of(site: CallSite) -> int:
    """How many times the loops of its function make a call; a loop of unknown length counts once."""
    function = site.frame.function
    if function is None or site.node is None or _LOOPS.isdisjoint(site.context.blocks):
        return 1
    return math.prod(max(1, _length(iterated, function)) for iterated in _loops_around(function, site.node))


def _loops_around(function: FunctionInfo, node: ast.expr) -> Iterator[ast.expr]:
    """The iterated expressions of the loops whose bodies contain a node."""
    for loop in function.nodes.of(ast.For):
        if isinstance(loop, ast.For) and _begin(loop.body[0]) <= _begin(node) < _end(loop.body[-1]):
            yield loop.iter
    for kind in _COMPREHENSIONS:
        for inner in function.nodes.of(kind):
            body = getattr(inner, "elt", getattr(inner, "value", None))
            if isinstance(inner, _COMPREHENSIONS) and body is not None and _begin(body) <= _begin(node) < _end(body):
                yield inner.generators[0].iter


def _begin(node: ast.expr | ast.stmt) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _end(node: ast.expr | ast.stmt) -> tuple[int, int]:
    return node.end_lineno or node.lineno, node.end_col_offset or 0


def _length(node: ast.expr, function: FunctionInfo) -> int:
    """The number of items of an expression; 0 if it is unknown."""
    if isinstance(node, (ast.List, ast.Tuple)):
        return len(node.elts)
    if isinstance(node, _COMPREHENSIONS):
        return _length(node.generators[0].iter, function) if len(node.generators) == 1 else 0
    if isinstance(node, ast.Call) and node.args:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name == "range":
            bounds = [_number(argument, function) for argument in node.args]
            return len(range(*(bound or 0 for bound in bounds))) if None not in bounds and 0 not in bounds[2:] else 0
        return _length(node.args[0], function) if name in _AS_LONG else 0
    if isinstance(node, ast.BinOp):
        return _of_operation(node, function)
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        part = node.slice
        first, last = (None if bound is None else _number(bound, function) for bound in (part.lower, part.upper))
        return len(range(_length(node.value, function))[first:last]) if part.step is None else 0
    if isinstance(node, ast.Name):
        stores = [item for item in function.nodes.of(ast.Assign) if single_name(item) == node.id]
        value = stores[0].value if len(stores) == 1 and isinstance(stores[0], ast.Assign) else None
        return 0 if value is None or node in walk(value) else _length(value, function)
    init = function.cls.methods.get("__init__") if function.cls is not None else None
    name = own_attribute(node)
    for statement in init.nodes.of(ast.Assign) if init is not None and init is not function and name else ():
        if isinstance(statement, ast.Assign) and own_attribute(statement.targets[0]) == name and init is not None:
            return _length(statement.value, init)
    return 0


def _of_operation(node: ast.BinOp, function: FunctionInfo) -> int:
    """The length of `[3] + [width] * depth`."""
    left = _length(node.left, function)
    if isinstance(node.op, ast.Mult):
        return left * (_number(node.right, function) or 0)
    right = _length(node.right, function)
    return left + right if isinstance(node.op, ast.Add) and left and right else 0


def _number(node: ast.expr, function: FunctionInfo) -> int | None:
    """The integer that is literal, or the default of a parameter."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -(_number(node.operand, function) or 0)
    value = constant_defaults(function).get(node.id) if isinstance(node, ast.Name) else getattr(node, "value", None)
    return value if isinstance(value, int) else None
