"""copy.copy and copy.deepcopy, where a method or a constructor copies the same."""

from __future__ import annotations

import ast

from breaklint.analysis.queries import Doubt, Proof, required
from breaklint.fixes.protocol import Match, Steps, fix
from breaklint.interp.containers import Dict, Sequence
from breaklint.interp.values import Tensor

ITEMS = "whether the items need a copy is not visible here"
HOLDING = "a module or a container is copied with all it holds; make the copy in __init__"
LEAF = "deepcopy raises for a computed tensor that needs a gradient, and of a leaf it keeps requires_grad"


@fix("copy-method")
def copy_method(m: Match) -> Steps:
    """`copy.deepcopy(t)` of a tensor -> `t.clone()`; `copy.copy` of a list or dict -> its constructor."""
    request, call = m.request, m.request.call
    one = len(call.args) == 1 and not call.keywords and not isinstance(call.args[0], ast.Starred)
    yield required(one, "it has more than one argument")
    source = call.args[0]
    if request.qualified(call.func) == "copy.copy":
        return (yield from _shallow(m, call, source))
    value = request.value(source)
    yield required(not isinstance(value, (Dict, Sequence)), ITEMS)
    yield required(isinstance(value, Tensor), HOLDING)
    assert isinstance(value, Tensor)
    plain = value.role != "parameter" and (_detached(source) or value.dtype in ("bool", "int"))
    yield required(plain, LEAF)
    yield Doubt("clone may order the memory of a view differently")
    return m.exchanged(call, f"{request.operand(source)}.clone()", "Use `.clone()`")


def _detached(source: ast.expr) -> bool:
    return isinstance(source, ast.Call) and isinstance(source.func, ast.Attribute) and source.func.attr == "detach"


def _shallow(m: Match, call: ast.Call, source: ast.expr) -> Steps:
    value = m.request.value(source)
    kind = "dict" if isinstance(value, Dict) else value.kind if isinstance(value, Sequence) else ""
    listed = f"`{m.request.text(source)}` is not known to be a list or dict"
    yield required(kind in ("list", "dict"), listed)
    said = "_copy_dispatch" in m.request.module.text
    yield required(not said, "the file says how a list or dict is copied")
    literal = isinstance(source, (ast.List, ast.Dict, ast.ListComp, ast.DictComp))
    yield Proof(f"it is a plain {kind}") if literal else Doubt(f"a subclass of {kind} would become a plain one")
    return m.exchanged(call, f"{m.request.builtin(kind)}({m.request.code(source)})", f"Use `{kind}(…)`")
