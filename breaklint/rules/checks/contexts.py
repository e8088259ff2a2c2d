"""Context managers that are created outside the traced code."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from breaklint.interp.events import Enter
from breaklint.interp.models.context_managers import cannot_be_entered
from breaklint.rules.base import Check, Hit


class ExternalContext(Check):
    """`with self.context:` if `__init__` created the context manager."""

    def visit_enter(self, enter: Enter) -> Iterator[Hit]:
        if isinstance(enter.node, (ast.Name, ast.Attribute)) and cannot_be_entered(enter.frame, enter.value):
            yield Hit(enter.node)
