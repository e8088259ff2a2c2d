"""`ctx.saved_variables` under its name since torch 0.4."""

from __future__ import annotations

import ast

from breaklint.fixes.base import FixRequest
from breaklint.fixes.protocol import Draft, Match, fix

FUNCTION = "torch.autograd.Function"
WHY = "`saved_variables` is the old name of the same tuple."
OTHER = "breaklint cannot infer that the object is the context of an autograd.Function."


@fix("saved-tensors", safe=WHY, unsafe=OTHER)
def saved_tensors(m: Match) -> Draft:
    """`ctx.saved_variables` → `ctx.saved_tensors`."""
    request, node = m.request, m.request.node
    is_load = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)
    m.require(is_load, "it is stored, or not read by its name")
    assert isinstance(node, ast.Attribute)
    m.safe_if(_is_context(request, node.value))
    return m.exchanged(node, f"{request.operand(node.value)}.saved_tensors", "Rename to `saved_tensors`")


def _is_context(request: FixRequest, node: ast.expr) -> bool:
    """Whether an expression is the context that `backward` of an autograd.Function gets."""
    root, cls = request.scope.root, request.cls
    if cls is None or not isinstance(root, ast.FunctionDef) or not isinstance(node, ast.Name):
        return False
    arguments = [*root.args.posonlyargs, *root.args.args]
    is_first = bool(arguments) and arguments[0].arg == node.id and not request.scope.stores(node.id)
    return is_first and root.name == "backward" and FUNCTION in map(str, request.project.mro(cls))
