"""How many elements an operator finds, where the count is used and the elements are not."""

from __future__ import annotations

import ast
from itertools import islice

from breaklint.analysis.queries import Doubt
from breaklint.analysis.shapes import of_one_tensor
from breaklint.fixes.base import FixRequest, NotFixable
from breaklint.fixes.branches.selections import scalar_uses_of
from breaklint.fixes.protocol import Match, Steps, fix
from breaklint.fixes.scalars.keep_tensor import WHY

NEEDED = "what the result is used for decides how it can be written with a fixed shape"
# No schema says that a function lists the places of elements.
FINDING = frozenset({"nonzero", "argwhere"})


@fix("count-nonzero")
def count_nonzero(m: Match) -> Steps:
    """`len(x.nonzero())`, `x.nonzero().size(0)`, `x.nonzero().shape[0]` -> `torch.count_nonzero(x)`."""
    request, call = m.request, m.request.node
    name, counted = of_one_tensor(request, call)
    if not isinstance(call, ast.Call) or counted is None or name not in FINDING:
        raise NotFixable(NEEDED)
    count = _count(request, call, counted)
    scalar_uses_of(request).follow(count, False)
    torch, imports = request.name_of("torch")
    content = f"{torch}.count_nonzero({request.code(counted)})"
    yield Doubt(WHY)
    return m.exchanged(count, content, "Count instead of listing", *imports)


def _count(request: FixRequest, call: ast.Call, counted: ast.expr) -> ast.expr:
    """The expression around the found elements that tells how many there are."""
    for around in islice(request.scope.parents(call), 2):
        tensor = request.tensor(counted)
        flat = ("{found}.numel()",) if tensor is not None and tensor.ndim == 1 else ()
        count = request.matched(around, "len({found})", "{found}.shape[0]", "{found}.size(0)", *flat)
        if count is not None and count["found"] is call and isinstance(around, ast.expr):
            return around
    raise NotFixable(NEEDED)
