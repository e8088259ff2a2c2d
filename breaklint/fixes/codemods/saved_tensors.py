"""`ctx.saved_variables` under its name since torch 0.4."""

from __future__ import annotations

import ast
import re

from breaklint.fixes.base import SAFE, UNSAFE, FixRequest, NotFixable, Outcome, Verdict, codemod
from breaklint.project.module import ClassInfo

FILTERS = re.compile(
    r"catch_warnings|(?:simplefilter|filterwarnings)\(\s*(?!\s*[\"']ignore)"
    r"|showwarn|formatwarning|captureWarnings|warnoptions|\bwarnings\.(?:filters|resetwarnings|_)|__warningregistry__"
)
FUNCTION = "torch.autograd.Function"
WHY = "saved_variables is the old name of the same tuple, and warns that it is"
WHY_QUIET = "the warning that says so is gone, which the file may turn into an error"
WHY_OTHER = "an object that is no context of an autograd.Function may have no such attribute"


@codemod
def saved_tensors(request: FixRequest) -> Outcome:
    """`ctx.saved_variables` was renamed."""
    node = request.node
    if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Load):
        raise NotFixable("it is stored, or not read by its name")
    if any(isinstance(up, ast.JoinedStr) for up in request.scope.parents(node)):
        raise NotFixable("it is read inside an f-string")
    known = _is_context(request, node.value)
    verdict = Verdict(SAFE if known else UNSAFE, WHY if known else WHY_OTHER, "Rename to `saved_tensors`")
    if known and FILTERS.search(request.module.text):
        verdict = Verdict(UNSAFE, f"{WHY}; {WHY_QUIET}", verdict.message)
    return request.replace(node, f"{request.operand(node.value)}.saved_tensors", verdict)


def _is_context(request: FixRequest, node: ast.expr) -> bool:
    """Whether an expression is the context that `backward` of an autograd.Function gets."""
    root, cls = request.scope.root, request.cls
    if cls is None or not isinstance(root, ast.FunctionDef) or not isinstance(node, ast.Name):
        return False
    bases = [each for each in request.event.frame.interp.project.mro(cls) if not isinstance(each, ClassInfo)]
    arguments = [*root.args.posonlyargs, *root.args.args]
    given = bool(arguments) and arguments[0].arg == node.id and not request.scope.stores(node.id)
    return given and root.name == "backward" and any(str(base) == FUNCTION for base in bases)
