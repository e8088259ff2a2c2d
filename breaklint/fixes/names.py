"""Whether the names around a finding have the meaning that the interpreter inferred."""

from __future__ import annotations

import ast

from breaklint.fixes.base import FixRequest

OF_SOURCE = frozenset({"numba", "taichi", "triton", "warp"})  # libraries whose decorators compile what they decorate


def ambiguous_name(request: FixRequest) -> str:
    """A name in the function around the finding that the file binds to different things, or ""."""
    bindings, node, whole = request.bindings, request.node, request.whole
    return min((name for name in request.scope.read_names if bindings.is_ambiguous(name, node, whole)), default="")


def compiled_by(request: FixRequest) -> str:
    """The decorator that compiles the source around a finding without torch modules, or ""."""
    for parent in request.whole.parents(request.node):
        for item in getattr(parent, "decorator_list", ()):
            name = request.qualified(item.func if isinstance(item, ast.Call) else item)
            if name.partition(".")[0] in OF_SOURCE:
                return name
    return ""
