"""Questions about tensors' values, as tensors that torch.where can select with: shown, never written."""

from __future__ import annotations

import ast

from breaklint.analysis.queries import Doubt
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.protocol import Match, Steps, fix


@fix("show-selection")
def show_selection(m: Match) -> Steps:
    """`any(tensors)`, `v in x` and `t.is_nonzero()` as tensors, with which torch.where can select."""
    request, node = m.request, m.request.node
    if not isinstance(node, (ast.Compare, ast.Call)):
        raise NotFixable(request.rule.fix_why)
    yield Doubt(request.rule.fix_why)
    return m.advised(node, _contained(request, node) if isinstance(node, ast.Compare) else _reduced(request, node))


def _contained(request: FixRequest, node: ast.Compare) -> str:
    if len(node.ops) != 1 or not isinstance(node.ops[0], (ast.In, ast.NotIn)):
        raise NotFixable(request.rule.fix_why)
    if request.tensor(node.left) is None and request.tensor(node.comparators[0]) is None:
        raise NotFixable("a number of Python's `random` is no tensor that could be compared with all at once")
    item = request.operand(node.left)
    content = f"({request.operand(node.comparators[0])} == {item}).any()"
    return f"~{content}" if isinstance(node.ops[0], ast.NotIn) else content


def _reduced(request: FixRequest, call: ast.Call) -> str:
    asked = request.matched(call, "torch.is_nonzero({t})", "{t}.is_nonzero()", "{t}.__bool__()")
    if asked is not None:
        tensor, content = request.tensor(asked["t"]), request.operand(asked["t"])
        return content if tensor is not None and tensor.dtype == "bool" else f"{content} != 0"
    name = request.qualified(call.func)
    if name not in ("builtins.any", "builtins.all") or len(call.args) != 1:
        raise NotFixable(request.rule.fix_why)
    torch, _ = request.name_of("torch")
    items = call.args[0]
    listed = request.text(items)
    if isinstance(items, ast.GeneratorExp):
        listed = f"[{listed.removeprefix('(').removesuffix(')') if listed.startswith('(') else listed}]"
    return f"{torch}.stack({listed}).{name.rpartition('.')[2]}()"
