"""Functions that Dynamo refuses to trace, from the facts of the target torch version."""

from __future__ import annotations

from collections.abc import Iterator

from breaklint.analysis.events import Call, Event
from breaklint.checks.base import Check, Hit


class SkippedCall(Check):
    """A call of a function in the table of skipped functions."""

    events = (Call,)

    def see(self, event: Event) -> Iterator[Hit]:
        assert isinstance(event, Call)
        if event.target and not event.target.startswith("builtins.") and event.frame.machine.facts.skipped(event.target):
            yield Hit(event.node)
