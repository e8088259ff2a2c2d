"""Context managers that were made outside the traced code."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from breaklint.interp.events import Enter, Event
from breaklint.interp.models.context_managers import cannot_be_entered
from breaklint.rules.base import Check, Hit


class KeptContext(Check):
    """`with self.context:`, where `__init__` made the context."""

    events = (Enter,)

    def see(self, event: Event) -> Iterator[Hit]:
        assert isinstance(event, Enter)
        if isinstance(event.node, (ast.Name, ast.Attribute)) and cannot_be_entered(event.frame, event.value):
            yield Hit(event.node)
