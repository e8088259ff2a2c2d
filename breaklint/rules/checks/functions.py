"""Functions and classes that Dynamo cannot hold."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from breaklint.interp.callables import ClassValue, Function
from breaklint.interp.events import Call, SetAttribute
from breaklint.rules.base import Check, Hit


class FunctionAttribute(Check):
    """`helper.calls = 1` and `setattr(helper, "calls", 1)` on a function."""

    def applies_to(self, target: str, method: str) -> bool:
        return target == "builtins.setattr"

    def visit_call(self, call: Call) -> Iterator[Hit]:
        if call.args and isinstance(call.args[0], Function):
            yield Hit(call.node)

    def visit_set_attribute(self, attribute: SetAttribute) -> Iterator[Hit]:
        if isinstance(attribute.base, Function):
            yield Hit(attribute.node)


class PartialTypedDict(Check):
    """A call of a TypedDict class with `total=False`."""

    def applies_to(self, target: str, method: str) -> bool:
        return bool(target) and not target.startswith(("torch.", "builtins.", "numpy."))

    def visit_call(self, call: Call) -> Iterator[Hit]:
        called = call.frame.interp.values.get(call.node.func) if isinstance(call.node, ast.Call) else None
        if isinstance(called, ClassValue) and any(
            keyword.arg == "total" and isinstance(keyword.value, ast.Constant) and keyword.value.value is False
            for keyword in called.info.node.keywords
        ):
            yield Hit(call.node)
