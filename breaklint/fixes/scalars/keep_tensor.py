"""Numbers read from tensors: the 0-dim tensor replaces the number if every use is tensor arithmetic."""

from __future__ import annotations

import ast

from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.branches.selections import may_select
from breaklint.fixes.protocol import Draft, Match, fix
from breaklint.fixes.scalars.scalar_uses import MATH, ScalarUses
from breaklint.interp.values import Tensor
from breaklint.model import Edit
from breaklint.project.syntax import method_name
from breaklint.project.walking import rows_with, walk, walk_rows

CHANGED = (ast.Name, ast.Attribute, ast.Subscript)
# Builtins, with the dtype class of their result.
NUMBERS = {"builtins.float": "float", "builtins.int": "int"}
UNSAFE = "A 0-dim tensor takes the place of a number: it rounds like a tensor, and the result may have another dtype."


@fix("keep-tensor", unsafe=UNSAFE)
def keep_tensor(m: Match) -> Draft:
    """`t.item()`, `float(t)` → `t.detach()`, if only tensors are computed with it."""
    request, call = m.request, m.request.call
    source, number = number_source(request, call)
    tensor = request.tensor(source)
    if tensor is None:
        raise request.not_a_tensor(source)
    kind = tensor.dtype if not number or number in MATH else number
    if kind in ("bool", "complex"):
        raise NotFixable(f"Python's {kind} and a {kind} tensor behave differently in arithmetic")
    uses = ScalarUses(request, may_select)
    uses.follow(call, False)
    if not all({*request.managed(call)} <= {*request.managed(item)} for item in uses.followed):
        raise NotFixable("it is used after the `with` block that reads it")
    imports: tuple[Edit, ...] = ()
    if tensor.ndim != 0 and uses.decides:
        raise NotFixable(f"it decides a branch, and `{request.text(source)}` does not have an inferred single value")
    content = as_tensor(request, source, number, tensor)
    if number in MATH:
        torch, imports = request.name_of("torch")
        content = f"{torch}.{number.partition('.')[2]}({content})"
    return m.exchanged(call, content, "Keep the 0-dim tensor", *imports)


def as_tensor(request: FixRequest, source: ast.expr, number: str, tensor: Tensor) -> str:
    """The 0-dim tensor of a number that is read from a tensor, copied if the tensor is changed in place."""
    content = f"{request.operand(source)}.detach()" + (".reshape(())" if tensor.ndim else "")
    if number == "int" and tensor.dtype != "int":
        return f"{content}.long()"
    if number == "float" and tensor.dtype == "int":
        return f"{content}.float()"
    return f"{content}.clone()" if number not in MATH and _is_changed(request, source) else content


def _is_changed(request: FixRequest, source: ast.expr) -> bool:
    """Whether a tensor may change in place while the result is used: the function changes a tensor, or the file
    changes the object of the attribute."""
    if isinstance(source, ast.BinOp) or request.facts.is_fresh(method_name(source)):
        return False
    parts = [part for part in walk(request.scope.root) if isinstance(part, CHANGED)]
    if any(_changes(part, request.scope.parent(part)) and request.tensor(part) is not None for part in parts):
        return True
    names = {part.attr for part in walk(source) if isinstance(part, ast.Attribute)}
    nodes = walk_rows(request.module.tree, rows_with(request.module.text, names))
    attributes = (part for part in nodes if isinstance(part, ast.Attribute) and part.attr in names)
    return any(_changes(part, request.whole.parent(part)) for part in attributes)


def _changes(part: ast.expr, enclosing: ast.AST | None) -> bool:
    """Whether the parent of a tensor changes it in place."""
    if isinstance(enclosing, ast.Subscript):
        return enclosing.value is part and not isinstance(enclosing.ctx, ast.Load)
    in_place = (
        isinstance(enclosing, ast.Attribute) and enclosing.attr.endswith("_") and not enclosing.attr.endswith("__")
    )
    return in_place or (isinstance(enclosing, ast.AugAssign) and enclosing.target is part)


def number_source(request: FixRequest, call: ast.Call) -> tuple[ast.expr, str]:
    """The tensor that the number is read from, and the kind of the number after a conversion."""
    if (match := request.matched(call, "{t}.item()")) is not None:
        return match["t"], ""
    name = request.qualified(call.func)
    if name in MATH and len(call.args) == 1:
        return call.args[0], name
    if name not in NUMBERS or len(call.args) != 1:
        raise NotFixable(f"`{request.text(call.func)}` has no counterpart that stays in the graph")
    return call.args[0], NUMBERS[name]
