"""Sparse tensors, which Dynamo does not take into a graph."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from breaklint.interp.events import Call, ObjectAccess
from breaklint.interp.lattice import Unknown, Value
from breaklint.interp.values import Tensor, without_none
from breaklint.rules.base import OBJECT, Check, Hit

# No schema: which argument of an operator is sparse, and the methods that only sparse tensors have. `torch.spmm` takes
# dense tensors as well.
SPARSE_PLACES: Final = {
    **dict.fromkeys(("torch.sparse.mm", "torch.smm", "torch.hspmm", "torch.sparse.sum"), 0),
    **dict.fromkeys(("torch.sparse.softmax", "torch.sparse.log_softmax"), 0),
    **dict.fromkeys(("torch.sparse.addmm", "torch.sspaddmm"), 1),
}
SPARSE_METHODS: Final = frozenset({"coalesce", "is_coalesced", "_indices", "_values", "_nnz"})
USED: Final = "`{source}` is sparse, and Dynamo does not take it into a graph"
TAKEN: Final = "`{}` takes a sparse tensor, which Dynamo does not take into a graph"
FROM_OUTSIDE: Final = frozenset({"input", "attribute", "buffer"})


class SparseUse(Check):
    """The first use of a sparse tensor in a function: Dynamo resumes there, and cannot take it as an input. A tensor
    from outside the graph is sparse if it is used by functions or attributes that only sparse tensors have."""

    def applies_to(self, target: str, method: str) -> bool:
        return target in SPARSE_PLACES or method in SPARSE_METHODS

    def visit_object_access(self, access: ObjectAccess) -> Iterator[Hit]:
        if "sparse" in access.kinds - access.earlier:
            yield Hit(access.node, USED, end=OBJECT)

    def visit_call(self, call: Call) -> Iterator[Hit]:
        if call.target in SPARSE_PLACES:
            place = SPARSE_PLACES[call.target]
            if len(call.args) > place and _comes_from_outside(call.args[place]):
                yield Hit(call.node, TAKEN.format(call.target), end=OBJECT)
        elif isinstance(call.owner, Tensor) and _comes_from_outside(call.owner):
            yield Hit(call.node, USED, end=OBJECT)


def _comes_from_outside(value: Value) -> bool:
    """Whether a value may be a tensor from outside the graph that is not sparse by inference."""
    value = without_none(value)
    return isinstance(value, Unknown) or (isinstance(value, Tensor) and value.role in FROM_OUTSIDE)
