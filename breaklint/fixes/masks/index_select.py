"""Computed 0-dim tensors as indexes."""

from __future__ import annotations

import ast

from breaklint.analysis.purity import only_read
from breaklint.analysis.queries import Doubt, required
from breaklint.fixes.base import NotFixable
from breaklint.fixes.protocol import Match, Steps, fix

WHY = (
    "a negative index raises, as does one of fewer than 32 bits or made under inference_mode, the error about one that "
    "is too large has other words, x may have no dimension, and the result is a contiguous copy where `x[k]` shares "
    "memory with x"
)


@fix("index-select")
def index_select(m: Match) -> Steps:
    """`x[k]` -> `x.index_select(0, k.view(1)).squeeze(0)`."""
    request, node = m.request, m.request.node
    if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load):
        raise NotFixable("it stores into the tensor")
    base, index = request.tensor(node.value), request.tensor(node.slice)
    if base is None:
        raise NotFixable("a list or an array can only be indexed by a Python number; stack its items and select")
    if index is None:
        raise NotFixable("the index has more than one part")
    if index.ndim != 0 or index.dtype != "int" or base.ndim == 0:
        raise NotFixable(f"`{request.text(node.slice)}` is not known to be a single integer")
    yield required(only_read(request, node), "`x[k]` is a view of x, through which x may be changed")
    yield Doubt(WHY)
    content = f"{request.operand(node.value)}.index_select(0, {request.operand(node.slice)}.view(1)).squeeze(0)"
    return m.exchanged(node, content, "Select with a tensor of one index")
