"""Module state that changes on every call, so that guards fail and Dynamo compiles again and again."""

from __future__ import annotations

from collections.abc import Iterator

from breaklint.analysis.events import Event, SetAttribute
from breaklint.analysis.values import Const, Instance, Static, constant_kind
from breaklint.checks.base import Check, Hit


class CounterAttribute(Check):
    """`self.steps += 1` with a Python number."""

    events = (SetAttribute,)

    def see(self, event: Event) -> Iterator[Hit]:
        assert isinstance(event, SetAttribute)
        number = isinstance(event.value, (Const, Static)) and constant_kind(event.value) in ("int", "float")
        if event.augmented and number and isinstance(event.base, Instance):
            yield Hit(event.node)
