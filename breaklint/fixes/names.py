"""Whether the names around a finding have the meaning that the interpreter inferred."""

from __future__ import annotations

import ast

from breaklint.fixes.base import FixRequest
from breaklint.interp.events import Call
from breaklint.project.walking import dotted_name

OF_SOURCE = frozenset({"numba", "taichi", "triton", "warp"})  # libraries whose decorators compile what they decorate


def unsure_name(request: FixRequest) -> str:
    """A name that the finding depends on and that may have another meaning, or ""."""
    bindings, row = request.bindings, getattr(request.scope.root, "lineno", 0)
    result = min((name for name in request.scope.read_names if bindings.may_change(name, row)), default="")
    node = request.node
    if not result and isinstance(request.event, Call) and request.event.target and not request.event.method:
        head = (dotted_name(node.func if isinstance(node, ast.Call) else node) or "").partition(".")[0]
        result = head if request.bindings.is_unsure(head, node, request.whole) else ""
    return result


def compiled_by(request: FixRequest) -> str:
    """The decorator that compiles the source around a finding without torch modules, or ""."""
    for parent in request.whole.parents(request.node):
        for item in getattr(parent, "decorator_list", ()):
            name = request.qualified(item.func if isinstance(item, ast.Call) else item)
            if name.partition(".")[0] in OF_SOURCE:
                return name
    return ""
