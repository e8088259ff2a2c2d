"""`ctx.saved_variables` under its name since torch 0.4."""

from __future__ import annotations

import ast

from breaklint.fixes.base import SAFE, FixRequest, Outcome, Verdict, codemod


@codemod
def saved_tensors(request: FixRequest) -> Outcome:
    """`ctx.saved_variables` was renamed."""
    node = request.node
    assert isinstance(node, ast.Attribute)
    why = "saved_variables is the old name of the same tuple, and warns that it is"
    verdict = Verdict(SAFE, why, "Rename to `saved_tensors`")
    return request.replace(node, f"{request.operand(node.value)}.saved_tensors", verdict)
