"""Functions that Dynamo refuses to trace, from the facts of the target torch version."""

from __future__ import annotations

from collections.abc import Iterator

from breaklint.interp.events import Call, Event, Index
from breaklint.interp.values import ExternalName
from breaklint.rules.base import Check, Hit


class SkippedCall(Check):
    """A call of a function in the table of skipped functions; NumPy's index objects (`np.ogrid[:4]`) are written in
    C too."""

    events = (Call, Index)
    grids = frozenset({"numpy.ogrid", "numpy.mgrid", "numpy.r_", "numpy.c_"})

    def hears(self, target: str, method: str) -> bool:
        return bool(target) and not target.startswith("builtins.")

    def see(self, event: Event) -> Iterator[Hit]:
        if isinstance(event, Index):
            if isinstance(event.base, ExternalName) and event.base.name in self.grids:
                yield Hit(event.node)
            return
        assert isinstance(event, Call)
        if event.target and not event.target.startswith("builtins.") and event.frame.interp.facts.skipped(event.target):
            yield Hit(event.node)
