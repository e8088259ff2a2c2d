"""Sparse tensors, which Dynamo does not take into a graph."""

from __future__ import annotations

from collections.abc import Iterator

from breaklint.interp.events import Event, ObjectAccess
from breaklint.interp.values import Tensor
from breaklint.rules.base import Check, Hit, is_first_use


class SparseUse(Check):
    """The first use of a sparse tensor in a function: Dynamo resumes there, and cannot take it as an input."""

    events = (ObjectAccess,)

    def see(self, event: Event) -> Iterator[Hit]:
        assert isinstance(event, ObjectAccess)
        if isinstance(event.value, Tensor) and is_first_use("sparse", event):
            yield Hit(event.node)
