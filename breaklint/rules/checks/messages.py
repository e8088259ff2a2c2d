"""Messages of torch._check."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from breaklint.interp.callables import Function
from breaklint.interp.events import Call
from breaklint.interp.lattice import Value
from breaklint.interp.values import Tensor, constant_kind
from breaklint.project.walking import walk
from breaklint.rules.base import Check, Hit


class CheckMessage(Check):
    """`torch._check(test, "text")`, and a message function that uses a tensor of the function around it."""

    def applies_to(self, target: str, method: str) -> bool:
        return target == "torch._check"

    def visit_call(self, call: Call) -> Iterator[Hit]:
        message = call.args[1] if len(call.args) > 1 else call.kwargs.get("message")
        if message is None:
            return
        text = constant_kind(message) == "str" and not call.frame.interp.facts.traces("check-with-text")
        if text or _uses_tensors(message):
            yield Hit(call.node)


def _uses_tensors(message: Value) -> bool:
    if not isinstance(message, Function) or message.closure is None:
        return False
    names = (node.id for node in walk(message.info.node) if isinstance(node, ast.Name))
    return any(isinstance(message.closure.lookup(name), Tensor) for name in names)
