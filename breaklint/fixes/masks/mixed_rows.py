"""Statements that see selected rows: whether they may compute otherwise when the other rows stand beside them.

What they call is not looked into: a fix that relies on this has to name it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from breaklint.analysis.batching import leaves_rows, takes_all_rows
from breaklint.analysis.literals import integer, is_all
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.project.walking import variables_in, walk

# Attributes that show or move the first dimension: the facts give their rank alone.
TURNED = frozenset("H T mH mT shape".split())
MIXED = "what is done with the selected rows may mix or count them"


def check_apart(request: FixRequest, statements: Iterable[ast.stmt], names: Iterable[str], rows: str) -> None:
    """Raise NotFixable where rows are counted, mixed or moved as far as the statements show.

    Args:
        request: the finding.
        statements: those behind the one that selects.
        names: what that binds.
        rows: the one of them that holds places of rows.
    """
    held, indices = set(names), set(names)
    for statement in statements:
        for part in walk(statement):
            if isinstance(part, ast.Name) and part.id in indices and isinstance(part.ctx, ast.Load):
                _check_index(request, part, rows)
            elif isinstance(part, ast.Call | ast.Attribute | ast.Subscript | ast.BinOp):
                _check_part(request, part, held)
            elif isinstance(part, ast.If | ast.IfExp) and variables_in(part.test) & held:
                raise NotFixable("a branch asks the selected rows")
        if isinstance(statement, ast.Assign | ast.AugAssign) and variables_in(statement.value) & held:
            held |= {
                part.id for part in walk(statement) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
            }


def _check_index(request: FixRequest, name: ast.Name, rows: str) -> None:
    """Places take rows (`x[rows]`, `x[None, rows]`, `w[rows, i, None]`), or say where to add."""
    around = request.scope.parent(name)
    func = around.func if isinstance(around, ast.Call) and name in around.args else None
    if isinstance(func, ast.Attribute) and func.attr == "index_add_" and name.id == rows:
        return
    parts = around.elts if isinstance(around, ast.Tuple) else [name]
    if isinstance(around, ast.Tuple):
        around = request.scope.parent(around)
    plain = all(each in parts and (isinstance(each, ast.Name) or _is_whole(each)) for each in parts)
    if not isinstance(around, ast.Subscript) or name is around.value or not plain:
        raise NotFixable("the places of the selected rows are used for more than to take rows")


def _is_whole(node: ast.expr) -> bool:
    return is_all(node) or (isinstance(node, ast.Constant) and node.value in (None, Ellipsis))


def _check_part(request: FixRequest, part: ast.expr, held: set[str]) -> None:
    """Modules and functions of the program are taken to act on each row alone; operators are not unless it is known."""
    mixes = False
    if isinstance(part, ast.BinOp):
        mixes = isinstance(part.op, ast.MatMult) and bool(variables_in(part.right) & held)
    elif isinstance(part, ast.Attribute) and part.attr in TURNED and variables_in(part.value) & held:
        around = request.scope.parent(part)
        index = around.slice if isinstance(around, ast.Subscript) and around.value is part else None
        mixes = part.attr != "shape" or integer(index) not in (-1, 1)
    elif isinstance(part, ast.Subscript):
        cut = isinstance(part.value, ast.Name) and part.value.id in held
        mixes = cut and not takes_all_rows(part.slice)
    elif isinstance(part, ast.Call) and variables_in(part) & held:
        mixes = not _acts_on_rows(request, part, held)
    if mixes:
        raise NotFixable(MIXED)


def _acts_on_rows(request: FixRequest, call: ast.Call, held: set[str]) -> bool:
    """Whether a call that takes rows is known to leave each to itself, as far as an operator of torch is called."""
    func, name = call.func, request.qualified(call.func)
    method = isinstance(func, ast.Attribute) and bool(variables_in(func.value) & held)
    if not method and not name.startswith("torch."):
        return name != "builtins.len"
    short = func.attr if isinstance(func, ast.Attribute) else name.rpartition(".")[2]
    if short == "size":
        return [integer(each) for each in call.args] in ([-1], [1])
    if short == "matmul":
        return not any(variables_in(each) & held for each in (call.args if method else call.args[1:]))
    if short == "where" and len(call.args) < 2:
        return False
    receiver = func.value if method and isinstance(func, ast.Attribute) else None
    tensor, *given = [receiver, *call.args] if receiver is not None else call.args or [call]
    return leaves_rows(request, short, tensor, given, call.keywords)
