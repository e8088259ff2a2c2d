"""`requires_grad_()` of a tensor that the graph creates."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from breaklint.interp.events import Call
from breaklint.interp.values import NONE, Const, Tensor, without_none
from breaklint.rules.base import Check, Hit
from breaklint.rules.matching import argument
from breaklint.rules.value_kinds import has_kind


class RequiresGrad(Check):
    """`x.requires_grad_()`: the graph may not return a new tensor `x`. The flag of a parameter is true already."""

    def applies_to(self, target: str, method: str) -> bool:
        return method == "requires_grad_"

    def visit_call(self, call: Call) -> Iterator[Hit]:
        owner = without_none(call.owner or NONE)
        is_true = argument(call, "0|requires_grad") in (None, Const(True))
        if has_kind(owner, "parameter") or has_kind(owner, "module"):
            if not is_true or _is_set_again(call):
                yield Hit(call.node)
        elif isinstance(owner, Tensor) and is_true:
            yield Hit(call.node, at_output=has_kind(owner, "computed"))


def _is_set_again(call: Call) -> bool:
    """Whether another call in the function may have cleared the flag of a parameter, which is true by default."""
    calls = call.frame.function.nodes.of(ast.Call) if call.frame.function is not None else []
    flags = (
        flag
        for node in calls
        if getattr(node.func, "attr", "") == call.method
        for flag in (*node.args, *(keyword.value for keyword in node.keywords))
    )
    return any(getattr(flag, "value", None) is not True for flag in flags)
