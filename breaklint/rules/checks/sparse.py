"""Sparse tensors, which Dynamo does not take into a graph."""

from __future__ import annotations

from collections.abc import Iterator

from breaklint.interp.events import ObjectAccess
from breaklint.rules.base import Check, Hit


class SparseUse(Check):
    """The first use of a sparse tensor in a function: Dynamo resumes there, and cannot take it as an input."""

    def visit_object_access(self, access: ObjectAccess) -> Iterator[Hit]:
        if "sparse" in access.kinds - access.earlier:
            yield Hit(access.node)
