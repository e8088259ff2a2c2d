"""Shapes that the code asserts to be equal: `assert a.shape == b.shape`."""

from __future__ import annotations

import ast

from breaklint.fixes.base import FixRequest
from breaklint.fixes.matching import matched

Origin = tuple[str, ast.AST | None]
ALIKE = tuple(f"{{a}}.{measure} == {{b}}.{measure}" for measure in ("shape", "size()", "dim()", "ndim"))


def asserted_shape(request: FixRequest, origin: Origin) -> Origin:
    """The first of the values that are asserted to have the shape (or the number of dimensions) of this one.

    Equal dimensions are enough where a mask indexes the tensor: indexing raises unless their sizes are equal too.
    """
    if not request.trusts_asserts:
        return origin
    for statement in getattr(request.scope.root, "body", ()):
        sides = matched(request, statement.test, *ALIKE) if isinstance(statement, ast.Assert) else None
        names = [side for side in (sides or {}).values() if isinstance(side, ast.Name)]
        if len(names) == 2:
            first, second = ((name.id, request.scope.definition(name.id, name).statement) for name in names)
            origin = first if origin == second else origin
    return origin
