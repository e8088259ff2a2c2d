"""Whether a test runs methods of classes of the project: their operators, their truth, their length."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from breaklint.fixes.base import FixRequest
from breaklint.fixes.proofs.dispatch import is_operator
from breaklint.interp.lattice import Value, options
from breaklint.interp.objects import Instance
from breaklint.interp.values import Array, Const, Number, Shape, Size, Static, Tensor
from breaklint.project.module import ClassInfo, Module
from breaklint.project.walking import children

# `def __len__`, `__bool__ = …`, and "__eq__" as `type` and `setattr` take it.
DEFINED = re.compile(r"def\s+(__\w+__)|\b(__\w+__)\s*=[^=]|[\"'](__\w+__)[\"']")
OTHER = frozenset({"__main__", "__call__", "__enter__", "__exit__"})  # which no test runs
PLAIN = (Array, Const, Number, Shape, Size, Tensor)


class _Operators(frozenset[str]):
    """The names of the operators that a file defines."""


def runs_operators(request: FixRequest, test: ast.expr) -> bool:
    """Whether a test may run operators of classes: the file defines some, or that of an object that the test reads."""
    return any(_may_run(request, each) for part in _asked(test) for each in options(request.value(part)))


def _may_run(request: FixRequest, value: Value) -> bool:
    if isinstance(value, PLAIN) or (isinstance(value, Static) and value.kind):
        return False
    files = {request.module}
    if isinstance(value, Instance):
        above = request.event.frame.interp.project.mro(value.cls)
        files |= {each.module for each in above if isinstance(each, ClassInfo)}
    return any(file.derive(_Operators, lambda file=file: _operators(file)) for file in files)  # type: ignore[misc]


def _operators(file: Module) -> _Operators:
    names = {name for groups in DEFINED.findall(file.text) for name in groups}
    return _Operators(name for name in names if is_operator(name) and name not in OTHER)


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
