"""`ctx.saved_variables` under its name since torch 0.4."""

from __future__ import annotations

import ast

from breaklint.fixes.base import FixRequest
from breaklint.fixes.protocol import Draft, Match, fix
from breaklint.project.module import ClassInfo
from breaklint.project.walking import dotted_name, rows_with, walk_rows

FUNCTION = "torch.autograd.Function"
OF_LOSS = frozenset({"gradient", "retain_graph", "create_graph", "inputs"})  # what Tensor.backward takes
WHY = "`saved_variables` is the old name of the same tuple."
OTHER = "breaklint cannot infer that the object is the context of an autograd.Function."


@fix("saved-tensors", safe=WHY, unsafe=OTHER)
def saved_tensors(m: Match) -> Draft:
    """`ctx.saved_variables` → `ctx.saved_tensors`."""
    request, node = m.request, m.request.node
    read = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)
    m.require(read, "it is stored, or not read by its name")
    assert isinstance(node, ast.Attribute)
    m.safe_if(_is_context(request, node.value))
    return m.exchanged(node, f"{request.operand(node.value)}.saved_tensors", "Rename to `saved_tensors`")


def _is_context(request: FixRequest, node: ast.expr) -> bool:
    """Whether an expression is the context that `backward` of an autograd.Function gets."""
    root, cls = request.scope.root, request.cls
    if cls is None or not isinstance(root, ast.FunctionDef) or not isinstance(node, ast.Name):
        return False
    if not _is_static(request, root) or _may_call(request):
        return False
    bases = [item for item in request.project.mro(cls) if not isinstance(item, ClassInfo)]
    arguments = [*root.args.posonlyargs, *root.args.args]
    given = bool(arguments) and arguments[0].arg == node.id and not request.scope.stores(node.id)
    return given and root.name == "backward" and any(str(base) == FUNCTION for base in bases)


def _is_static(request: FixRequest, method: ast.FunctionDef) -> bool:
    """Whether the parameters of a method are its arguments: its only decorators are `staticmethod` and those of
    torch."""
    names = [request.qualified(item.func if isinstance(item, ast.Call) else item) for item in method.decorator_list]
    return all(name == "builtins.staticmethod" or name.startswith("torch.") for name in names)


def _may_call(request: FixRequest) -> bool:
    """Whether code of the file may call a method `backward` with a context of its own: `loss.backward()` does not."""
    for part in walk_rows(request.module.tree, rows_with(request.module.text, ["backward"])):
        if isinstance(part, ast.Constant) and part.value == "backward":
            return True
        if isinstance(part, ast.Attribute) and part.attr == "backward" and not _is_of_library(request, part.value):
            call = request.whole.parent(part)
            if not isinstance(call, ast.Call) or call.func is not part or call.args:
                return True
            if not {keyword.arg for keyword in call.keywords} <= OF_LOSS:
                return True
    return False


def _is_of_library(request: FixRequest, node: ast.expr) -> bool:
    """Whether an expression names what is imported from outside the project, as a module of kernels is, or nothing."""
    dotted, bindings = dotted_name(node), request.bindings
    result = request.project.resolve(request.module, dotted) if dotted else None
    if result is None and isinstance(node, ast.Name) and node.id not in request.module.names:
        return not (bindings.stars or bindings.hides(node.id, node, request.whole))
    return isinstance(result, str) and not result.startswith(FUNCTION)
