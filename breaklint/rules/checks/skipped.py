"""Functions that Dynamo refuses to trace, from the facts of the target torch version."""

from __future__ import annotations

from collections.abc import Iterator

from breaklint.interp.events import Call, Index
from breaklint.interp.values import ExternalName
from breaklint.rules.base import Check, Hit


class SkippedCall(Check):
    """A call of a function in the table of skipped functions; NumPy's index objects (`np.ogrid[:4]`) are written in
    C too."""

    grids = frozenset({"numpy.ogrid", "numpy.mgrid", "numpy.r_", "numpy.c_"})

    def applies_to(self, target: str, method: str) -> bool:
        return bool(target) and not target.startswith("builtins.")

    def visit_call(self, call: Call) -> Iterator[Hit]:
        if call.frame.interp.facts.skipped(call.target):
            yield Hit(call.node)

    def visit_index(self, index: Index) -> Iterator[Hit]:
        if isinstance(index.base, ExternalName) and index.base.name in self.grids:
            yield Hit(index.node)
