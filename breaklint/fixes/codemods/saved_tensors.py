"""`ctx.saved_variables` under its name since torch 0.4."""

from __future__ import annotations

import ast

from breaklint.fixes.base import SAFE, FixRequest, Outcome, codemod
from breaklint.model import Edit, Fix, Position, Span
from breaklint.project.spans import span_of


@codemod
def saved_tensors(request: FixRequest) -> Outcome:
    """`ctx.saved_variables` was renamed."""
    node = request.node
    assert isinstance(node, ast.Attribute)
    end = span_of(request.module, node).end
    start = Position(end.row, end.column - len(node.attr))
    why = "saved_variables is the old name of the same tuple, and warns that it is"
    return Fix(SAFE, "Rename to `saved_tensors`", why, (Edit(Span(start, end), "saved_tensors"),))
