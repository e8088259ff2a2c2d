"""Sparse tensors, which Dynamo does not take into a graph."""

from __future__ import annotations

from collections.abc import Iterator

from breaklint.analysis.events import Event, Use
from breaklint.analysis.values import Tensor
from breaklint.checks.base import Check, FirstUses, Hit


class SparseUse(Check):
    """The first use of a sparse tensor in a function: Dynamo resumes there, and cannot take it as an input."""

    events = (Use,)

    def __init__(self) -> None:
        self._first_uses = FirstUses()

    def see(self, event: Event) -> Iterator[Hit]:
        assert isinstance(event, Use)
        if isinstance(event.value, Tensor) and self._first_uses.is_first("sparse", event):
            yield Hit(event.node)
