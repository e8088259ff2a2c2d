"""copy.copy and copy.deepcopy, where a method or a constructor copies the same."""

from __future__ import annotations

import ast

from breaklint.fixes.base import SAFE, UNSAFE, FixRequest, NotFixable, Outcome, Verdict, codemod
from breaklint.interp.containers import Dict, Sequence
from breaklint.interp.values import Tensor


@codemod
def copy_method(request: FixRequest) -> Outcome:
    """`copy.deepcopy(t)` of a tensor -> `t.clone()`; `copy.copy` of a list or dict -> its constructor."""
    call = request.call
    if len(call.args) != 1 or call.keywords or isinstance(call.args[0], ast.Starred):
        raise NotFixable("it has more than one argument")
    source, name = call.args[0], request.qualified(call.func)
    value = request.value(source)
    if name == "copy.copy":
        return _shallow(request, call, source)
    if not isinstance(value, Tensor):
        raise NotFixable("a module or a container is copied with all it holds; make the copy in __init__")
    if value.role == "parameter" or not (_detached(source) or value.dtype in ("bool", "int")):
        raise NotFixable(
            "deepcopy raises for a computed tensor that needs a gradient, and of a leaf it keeps requires_grad"
        )
    why = "clone may order the memory of a view differently"
    return request.replace(call, f"{request.operand(source)}.clone()", Verdict(UNSAFE, why, "Use `.clone()`"))


def _detached(source: ast.expr) -> bool:
    return isinstance(source, ast.Call) and isinstance(source.func, ast.Attribute) and source.func.attr == "detach"


def _shallow(request: FixRequest, call: ast.Call, source: ast.expr) -> Outcome:
    value = request.value(source)
    kind = "dict" if isinstance(value, Dict) else value.kind if isinstance(value, Sequence) else ""
    if kind not in ("list", "dict"):
        raise NotFixable("what is copied is not known to be a list or dict")
    literal = isinstance(source, (ast.List, ast.Dict, ast.ListComp, ast.DictComp))
    verdict = Verdict(SAFE, f"it is a plain {kind}", f"Use `{kind}(…)`")
    if "_copy_dispatch" in request.module.text:
        raise NotFixable("the file says how a list or dict is copied")
    if not literal:
        verdict = Verdict(UNSAFE, f"a subclass of {kind} would become a plain one", verdict.message)
    return request.replace(call, f"{request.builtin(kind)}({request.code(source)})", verdict)
