"""Messages of torch._check."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from breaklint.interp.callables import Function
from breaklint.interp.events import Call, Event
from breaklint.interp.lattice import Value
from breaklint.interp.values import Tensor, constant_kind
from breaklint.rules.base import Check, Hit


class CheckMessage(Check):
    """`torch._check(test, "text")`, and a message function that uses a tensor of the function around it."""

    events = (Call,)

    def hears(self, target: str, method: str) -> bool:
        return target == "torch._check"

    def see(self, event: Event) -> Iterator[Hit]:
        assert isinstance(event, Call)
        if event.target != "torch._check":
            return
        message = event.args[1] if len(event.args) > 1 else event.kwargs.get("message")
        if message is not None and (constant_kind(message) == "str" or _uses_tensors(message)):
            yield Hit(event.node)


def _uses_tensors(message: Value) -> bool:
    if not isinstance(message, Function) or message.closure is None:
        return False
    names = (node.id for node in ast.walk(message.info.node) if isinstance(node, ast.Name))
    return any(isinstance(message.closure.lookup(name), Tensor) for name in names)
