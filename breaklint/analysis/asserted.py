"""Shapes that the code asserts to be equal: `assert a.shape == b.shape`."""

from __future__ import annotations

import ast

from breaklint.analysis.model import FunctionModel
from breaklint.analysis.use_def import Version

Origin = tuple[str, Version]
ALIKE = tuple(f"{{a}}.{measure} == {{b}}.{measure}" for measure in ("shape", "size()", "dim()", "ndim"))


def asserted_shape(model: FunctionModel, origin: Origin) -> Origin:
    """The first of the values that are asserted to have the shape (or the number of dimensions) of this one.

    Equal dimensions suffice if the mask indexes the tensor: indexing raises unless their sizes are equal as well.
    """
    for statement in model.scope.asserts:
        sides = model.matched(statement.test, *ALIKE)
        names = [side for side in (sides or {}).values() if isinstance(side, ast.Name)]
        if len(names) == 2:
            first, second = ((name.id, model.definition(name.id, name).version) for name in names)
            origin = first if origin == second else origin
    return origin
