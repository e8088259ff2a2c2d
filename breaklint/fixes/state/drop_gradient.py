"""Delete `t.requires_grad = False` if it changes nothing."""

from __future__ import annotations

import ast

from breaklint.analysis.alias import is_fresh
from breaklint.analysis.gradients import needs_no_gradient
from breaklint.analysis.mutation import is_unchanged
from breaklint.fixes.protocol import Draft, Match, fix


@fix("drop-gradient", safe="A new tensor needs no gradient.")
def drop_gradient(m: Match) -> Draft:
    """`t.requires_grad = False` of a new tensor → nothing."""
    request, statement = m.request, m.request.statement()
    result = request.matched(statement, "{t}.requires_grad = False")
    m.require(result is not None, "whether the tensor needs a gradient is decided outside of the compiled code")
    tensor = result["t"] if result is not None else None
    created = request.definition(tensor.id, statement).value if isinstance(tensor, ast.Name) else None
    has_flag = isinstance(created, ast.Call) and any(keyword.arg == "requires_grad" for keyword in created.keywords)
    new = created is not None and (is_fresh(request, created) or needs_no_gradient(request, created, statement))
    plain = isinstance(tensor, ast.Name) and new and not has_flag and is_unchanged(request, tensor.id, statement)
    m.require(plain, "breaklint cannot infer that it is a new tensor, and a tensor of the caller may need a gradient")
    return m.deleted(statement)
