"""Whether a test runs methods of classes of the project: their operators, their truth, their length."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from breaklint.analysis.model import FunctionModel
from breaklint.analysis.own_operators import defines_operators
from breaklint.interp.lattice import Value, options
from breaklint.interp.objects import Instance
from breaklint.interp.values import Array, Const, Number, Shape, Size, Static, Tensor
from breaklint.project.module import ClassInfo
from breaklint.project.walking import children

PLAIN = (Array, Const, Number, Shape, Size, Tensor)


def runs_operators(model: FunctionModel, test: ast.expr) -> bool:
    """Whether a test may run operators of classes: the file defines some, or that of an object that the test reads."""
    return any(_may_run(model, each) for part in _asked(test) for each in options(model.value(part)))


def _may_run(model: FunctionModel, value: Value) -> bool:
    if isinstance(value, PLAIN) or (isinstance(value, Static) and value.kind):
        return False
    files = {model.module}
    if isinstance(value, Instance):
        above = model.project.mro(value.cls)
        files |= {each.module for each in above if isinstance(each, ClassInfo)}
    return any(map(defines_operators, files))


def _asked(node: ast.AST) -> Iterator[ast.AST]:
    """The values in a test that it may ask for their truth, their order or their items: not what is only asked whether
    it is another object, and not what an attribute is read of."""
    if isinstance(node, ast.Compare) and all(isinstance(op, (ast.Is, ast.IsNot)) for op in node.ops):
        return
    if isinstance(node, (ast.Name, ast.Attribute)):
        yield node
        return
    inside = children(node)
    if isinstance(node, ast.Call):
        method = node.func if isinstance(node.func, ast.Attribute) else None
        inside = [*([method.value] if method is not None else []), *node.args, *node.keywords]
    if isinstance(node, (ast.Subscript, ast.Call)):
        yield node
    for child in inside:
        yield from _asked(child)
