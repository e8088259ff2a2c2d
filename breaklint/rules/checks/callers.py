"""Calls of functions that break."""

from __future__ import annotations

from collections.abc import Iterator

from breaklint.interp.events import BreakingCall, Event
from breaklint.rules.base import Check, Hit


class CallThatBreaks(Check):
    """A call whose callee has a finding of its own; shown with `--show-callers`."""

    events = (BreakingCall,)

    def see(self, event: Event) -> Iterator[Hit]:
        assert isinstance(event, BreakingCall)
        yield Hit(event.node, f"`{event.callee}` breaks the graph, and with it the graph of this function")
